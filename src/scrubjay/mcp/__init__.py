"""The MCP server: the base as tools, resources and prompts for an agent.

Everything an agent reads is made by plain functions over a KnowledgeBase (`finding`, `keeping`,
`reading`); the SDK is only touched by `server`, `stdio` and `http`, because importing it costs as
much as forty searches and a test of an answer should not need it.
"""
