"""The fixtures of these tests; what makes them up is in tiny_models, which subprocesses import too."""

from __future__ import annotations

from embed.local.tiny_models import hub, models, tiny

__all__ = ["hub", "models", "tiny"]
