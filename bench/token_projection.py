"""Make the projection of a model's token vectors to 128 dimensions, as it is shipped.

    python bench/token_projection.py [--model NAME] [--models FOLDER]

The directions in which the token vectors of this repository's own documentation differ most: fixed,
orthonormal, and of texts that no judged collection has. To src/scrubjay/rerank/projections/.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np
from meaning import ARCTIC

from scrubjay.embed.local import load
from scrubjay.rerank.tokens import DIMENSIONS, projection_file

DOCS = Path(__file__).parent.parent / "docs"
PIECE, MOST = 600, 120  # characters, pieces


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--model", default=ARCTIC)
    parser.add_argument("--models", type=Path, default=Path.home() / ".cache" / "scrubjay" / "models")
    asked = parser.parse_args()
    embedder: Any = load(asked.model, asked.models)
    texts = [path.read_text(encoding="utf-8") for path in sorted(DOCS.rglob("*.md"))]
    pieces = [text[start : start + PIECE] for text in texts for start in range(0, len(text), PIECE)]
    chosen = pieces[:: max(1, len(pieces) // MOST)]
    tokens = np.concatenate(embedder.token_vectors(chosen, "document")).astype(np.float64)
    values, directions = np.linalg.eigh(tokens.T @ tokens)
    kept = directions[:, ::-1][:, :DIMENSIONS]
    path = Path(str(projection_file(embedder)))
    path.parent.mkdir(exist_ok=True)
    np.save(path, kept.astype(np.float16))
    share = values[::-1][:DIMENSIONS].sum() / values.sum()
    print(f"{path}: {len(chosen)} pieces, {len(tokens)} tokens, {share:.1%} of their energy")


if __name__ == "__main__":
    main()
