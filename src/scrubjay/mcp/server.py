"""The desk behind the SDK's low-level server: tools, resources, prompts, live instructions.

The low-level server and not the decorated one: our schemas are made by hand so that a model can
read them, and nothing has to be guessed from signatures. Calls run in worker threads, so that one
slow search does not hold up the others and can be cancelled.
"""

from __future__ import annotations

from contextlib import asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

import mcp_types as wire
from anyio import CapacityLimiter, create_task_group, to_thread
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

import scrubjay
from scrubjay.errors import ScrubjayError
from scrubjay.mcp import reading
from scrubjay.mcp.announce import EVERY, Announcer
from scrubjay.mcp.arguments import schema
from scrubjay.mcp.tools import TOOLS, Tool, find_tool

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from mcp.server.context import ServerRequestContext

    from scrubjay.mcp.desk import Desk

    Context = ServerRequestContext[Any, Any]
    Paged = wire.PaginatedRequestParams | None


_AT_ONCE = 24  # calls; the streams need worker threads, too, and would wait behind forty that hang


class MemoryServer(Server[Any]):
    """The SDK's server, whose instructions are made when a client asks for them."""

    def __init__(self, desk: Desk, every: float = EVERY) -> None:
        self.desk = desk
        self._announcer = announcer = Announcer(self._found, every)
        super().__init__(
            "scrubjay",
            title="scrubjay: notes, documents and memory",
            version=scrubjay.__version__,
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
            on_list_resources=self._list_resources,
            on_list_resource_templates=self._list_templates,
            on_read_resource=self._read_resource,
            on_subscribe_resource=announcer.subscribe,
            on_unsubscribe_resource=announcer.unsubscribe,
            on_subscriptions_listen=announcer.listen,
            lifespan=_living,
            on_list_prompts=self._list_prompts,
            on_get_prompt=self._get_prompt,
            get_tool_input_schema=_input_schema,
        )
        self.middleware.clear()  # no tracing: nothing leaves this machine
        self._tools = [_listed(tool) for tool in TOOLS]
        self._places = CapacityLimiter(_AT_ONCE)

    @property
    def instructions(self) -> str:
        return reading.instructions(self.desk)

    @instructions.setter
    def instructions(self, given: str | None) -> None:
        """The SDK sets a text once; ours is made anew for every client."""

    async def _beside(self, run: Callable[..., Any], *given: Any) -> Any:
        """Runs in a worker thread; a cancelled request does not wait for it."""
        try:
            return await to_thread.run_sync(partial(run, *given), abandon_on_cancel=True, limiter=self._places)
        except ScrubjayError as error:
            raise MCPError(wire.INVALID_PARAMS, str(error)) from error

    # --- what saved searches found ---

    async def announce(self) -> None:
        await self._announcer.watch()

    async def _found(self) -> int:
        return int(await self._beside(_waiting, self.desk))

    # --- tools ---

    async def _list_tools(self, context: Context, asked: Paged) -> wire.ListToolsResult:  # noqa: ARG002
        return wire.ListToolsResult(tools=self._tools)

    async def _call_tool(self, context: Context, asked: wire.CallToolRequestParams) -> wire.CallToolResult:  # noqa: ARG002
        if find_tool(asked.name) is None:
            known = ", ".join(tool.name for tool in TOOLS)
            raise MCPError(wire.INVALID_PARAMS, f"There is no tool {asked.name!r}. The tools are {known}.")
        answer = await self._beside(self.desk.call, asked.name, asked.arguments or {})
        content: list[Any] = [wire.TextContent(text=answer.text)]
        if answer.failed:
            return wire.CallToolResult(content=content, is_error=True)
        return wire.CallToolResult(content=content, structured_content=answer.data)

    # --- resources ---

    async def _list_resources(self, context: Context, asked: Paged) -> wire.ListResourcesResult:  # noqa: ARG002
        pages = await self._beside(reading.pages, self.desk)
        return wire.ListResourcesResult(
            resources=[
                wire.Resource(
                    uri=page.uri, name=page.name, title=page.title, description=page.about, mime_type=page.mime
                )
                for page in pages
            ]
        )

    async def _list_templates(self, context: Context, asked: Paged) -> wire.ListResourceTemplatesResult:  # noqa: ARG002
        about = "A document, note or passage of the base by its id, as search_memories and timeline give it."
        template = wire.ResourceTemplate(uri_template=reading.TEMPLATE, name="document", description=about)
        return wire.ListResourceTemplatesResult(resource_templates=[template])

    async def _read_resource(
        self,
        context: Context,  # noqa: ARG002
        asked: wire.ReadResourceRequestParams,
    ) -> wire.ReadResourceResult:
        text, mime = await self._beside(reading.read_page, self.desk, asked.uri)
        contents: list[Any] = [wire.TextResourceContents(uri=asked.uri, text=text, mime_type=mime)]
        return wire.ReadResourceResult(contents=contents)

    # --- prompts ---

    async def _list_prompts(self, context: Context, asked: Paged) -> wire.ListPromptsResult:  # noqa: ARG002
        return wire.ListPromptsResult(
            prompts=[
                wire.Prompt(
                    name=one.name,
                    title=one.title,
                    description=one.about,
                    arguments=[
                        wire.PromptArgument(name=one.argument, description=one.argument_about, required=one.required)
                    ],
                )
                for one in reading.PROMPTS
            ]
        )

    async def _get_prompt(self, context: Context, asked: wire.GetPromptRequestParams) -> wire.GetPromptResult:  # noqa: ARG002
        text = await self._beside(reading.prompt_text, asked.name, dict(asked.arguments or {}))
        message = wire.PromptMessage(role="user", content=wire.TextContent(text=text))
        return wire.GetPromptResult(messages=[message])


@asynccontextmanager
async def _living(server: Server[Any]) -> AsyncIterator[dict[str, Any]]:
    """The life of a server: beside its calls, it announces."""
    async with create_task_group() as beside:
        if isinstance(server, MemoryServer):
            beside.start_soon(server.announce)
        yield {}
        beside.cancel_scope.cancel()


def _waiting(desk: Desk) -> int:
    try:
        with desk.using() as kb:
            return sum(alert.due for alert in kb.alerts())
    except ScrubjayError:
        return 0  # whoever asks for something is told why


def _listed(tool: Tool) -> wire.Tool:
    return wire.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=schema(tool.parameters),
        output_schema=dict(tool.output),
        annotations=wire.ToolAnnotations(
            title=tool.title,
            read_only_hint=tool.reads_only,
            destructive_hint=False,
            idempotent_hint=tool.idempotent,
            open_world_hint=False,
        ),
    )


def _input_schema(name: str) -> dict[str, Any] | None:
    tool = find_tool(name)
    return None if tool is None else schema(tool.parameters)
