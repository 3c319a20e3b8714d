"""Writes matches.json: which row of its table the Python guard takes for odd model ids.

Usage: python3 matches.py <folder of the Python guard's pricing.py> > matches.json
"""
import json, sys

sys.path.insert(0, sys.argv[1])
import pricing

known = list(pricing.PRICES)
pricing.PRICES = {name: {"id": name} for name in known}
ids = known + ["", " ", "unknown", "gpt", "claude", "claude-opus", "claude-opus-", "claude-opus-6", "claude-opus-5-6", "claude-opus-5-50",
    "claude-opus-5.5", "claude-opus-5_5", "claude-opus-5-5-", "claude-opus-5-5--", "CLAUDE-OPUS-5", "Claude-Opus-5-5", " claude-opus-5-5\n",
    "claude-opus-5-preview", "claude-opus-5-5-preview", "claude-opus-5-5-preview-7", "claude-opus-5x", "xclaude-opus-5",
    "claude-opus-4", "claude-opus-4-1", "claude-opus-4-8-fast", "claude-3-5-sonnet-20241022", "claude-sonnet-4-20250514"]
for base in ("claude-opus-4-8", "claude-haiku-4-5", "gpt-5.5", "gpt-6-sol"):
    ids += [base + s for s in ("[1m]", "[]", "[1m][2m]", "[1m", "1m]", "]", "[a]b]", "-20251001", "-2026-09-01", "-2026-9-1", "-202510011",
        "-2025100", "@20260101", "@2026010", "@latest", "@other", "-v1", "-v1:0", "-v12:34", "-v1:", "-v", "-vx", "-v1:0[1m]", "-20251001-v1:0",
        "-20251001-v1:0[1m]", "@20260101[1m]", "-v1:0-20251001", "-20251001@latest", "-mini", "-nano", "-pro", "-max", "-lite", "-turbo",
        "-pro-x", "-promax", "-codex", "-codex-mini", "_x", ".x", "@x", ":x", ".1", "-1", "-12x", ":free", "-thinking", "-0", "-٣", "/x", " x")]
    ids += [p + base for p in ("us.", "anthropic.", "openai.", "us.anthropic.", "eu.anthropic.", "apac.anthropic.", "jp.anthropic.",
        "au.anthropic.", "global.anthropic.", "us-gov.anthropic.", "us.openai.", "ca.anthropic.", "us.us.anthropic.", "anthropic.anthropic.",
        "anthropic/", "openrouter/anthropic/", "bedrock.", "US.anthropic.")]
    ids += [p + base + s for p in ("us.anthropic.", "global.openai.") for s in ("-v1:0", "-20251001-v1:0", "@20260101", "[1m]", "-pro")]
rows = []
for name in ids:
    found = pricing.price_for(name)
    rows.append({"model": name, "want": found["id"] if found else ""})
print(json.dumps({"known": known}, indent=1)[:-2] + ',\n "rows": [\n  ' + ",\n  ".join(json.dumps(r) for r in rows) + "\n ]\n}")
