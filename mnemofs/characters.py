"""Ranges of letters, to be put between the brackets of a regular expression's class."""

from __future__ import annotations

# Kana and Han: scripts in which no space tells words apart.
CJK = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
