"""The nightly consolidation of notes: candidates, plan, diary, archive, reports."""
