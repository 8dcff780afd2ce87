"""The settings and their defaults, section by section, as they stand in `mnemofs.toml`."""

from __future__ import annotations

from mnemofs.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import tzinfo

    from mnemofs.clock import Clock


class Section(Record):
    """One [section] of the settings: its keys, each with its default."""


class AgentConfig(Section):
    """Who the workspace belongs to. owner: the exact key when this is a person's own repository."""

    name: str = "mnemofs"
    timezone: str = "UTC"
    owner: str = ""


class FilesConfig(Section):
    """always_on: files that enter every system prompt, in this order. Sizes in characters, 0 = no
    limit."""

    always_on: tuple[str, ...] = ("AGENTS.md", "SOUL.md", "PROFILE.md", "MEMORY.md", "KNOWLEDGE.md")
    always_on_max_chars: int = 24000
    profile_max_chars: int = 4000
    memory_max_chars: int = 8000
    structured_max_chars: int = 4000
    structured_max_entries: int = 40
    prefetch_max_chars: int = 12000


class OwnersConfig(Section):
    """isolation off writes every person's memory into the workspace itself."""

    isolation: bool = True


class ExtractionConfig(Section):
    """Post-chat extraction. engine: "rules" (no model) or "llm".

    nudge_*: a second look at a running conversation for structured entries, every
    `nudge_turn_interval` messages (0 = never).
    """

    enabled: bool = True
    engine: str = "rules"
    min_messages: int = 4
    min_user_chars: int = 10
    skip_cron: bool = True
    max_messages: int = 30
    cooldown_minutes: int = 5
    nudge_enabled: bool = True
    nudge_turn_interval: int = 6
    nudge_max_messages: int = 20
    nudge_cooldown_minutes: int = 10


class ConversationsConfig(Section):
    """What was said, word for word, for session search. keep_*: what is kept, 0 = no limit."""

    enabled: bool = True
    keep_days: int = 180
    keep_messages: int = 100000


class DreamingConfig(Section):
    """The consolidation of daily notes. day_range: how many days back notes are read.

    schedule: five cron fields in the workspace zone. catch_up_days: how far back notes that no
    dream has read are looked for after downtime. max_notes, max_note_chars: most that one run
    reads, 0 = all; the next run reads the rest. score_*, min_*, max_age_days: what an entry needs
    to be a candidate (0 days = any age); weight_*: the parts of its score. diary_max_chars: the
    oldest pages of DREAMS.md are archived above it, as are those older than archive_keep_days.
    """

    enabled: bool = True
    engine: str = "rules"
    schedule: str = "0 3 * * *"
    day_range: int = 7
    catch_up_days: int = 366
    max_notes: int = 31
    max_note_chars: int = 200000
    max_lost_entries: float = 0.25
    focused_enabled: bool = True
    score_threshold: float = 0.4
    min_recall_count: int = 3
    min_unique_queries: int = 2
    max_age_days: int = 30
    max_candidates: int = 100
    weight_frequency: float = 0.3
    weight_recency: float = 0.25
    weight_diversity: float = 0.2
    weight_freshness: float = 0.15
    weight_velocity: float = 0.1
    diary_max_chars: int = 20000
    archive_enabled: bool = True
    archive_keep_days: int = 30


class ConsolidationConfig(Section):
    """The clean-up of structured entries. max_buckets: most (kind, owner) pairs a run, 0 = all."""

    enabled: bool = True
    engine: str = "rules"
    schedule: str = "30 3 * * *"
    min_entries: int = 8
    max_buckets: int = 50


class SoulConfig(Section):
    """How the agent's character follows its memory. update_interval: memory writes between two
    looks at SOUL.md, 0 = never. apply: "proposal" (a person accepts) or "direct"."""

    update_interval: int = 20
    apply: str = "proposal"


class FactsConfig(Section):
    """Facts projected from entries. trust_half_life_days: 0 = no decay. judge: ask the model
    whether two values contradict each other."""

    enabled: bool = True
    schedule: str = "*/30 * * * *"
    trust_half_life_days: int = 60
    contradictions: bool = True
    judge: bool = False


class RecallConfig(Section):
    """Which entries entered which prompt, counted for dreaming. keep_days: how long prompts are
    kept for `why-in-context`."""

    enabled: bool = True
    keep_days: int = 30


class ProvidersConfig(Section):
    """Where recall comes from besides this memory. Times: for each provider, and for all together;
    0 = no limit. A provider that failed `circuit_failures` times in a row rests."""

    disabled: tuple[str, ...] = ()
    prefetch_timeout_ms: int = 1500
    prefetch_budget_ms: int = 2500
    circuit_failures: int = 3
    circuit_cooldown_seconds: int = 30


class Mem0Config(Section):
    """A Mem0 server to recall from and to send turns to; base_url "" = none."""

    base_url: str = ""
    api_key_env: str = "MEM0_API_KEY"
    search_enabled: bool = True
    sync_enabled: bool = True
    max_results: int = 5
    timeout_ms: int = 3000
    queue_capacity: int = 256


class WindowConfig(Section):
    """How `fit` shrinks a conversation. Sizes in tokens, *_ratio of the window or of old tokens."""

    max_input_tokens: int = 128000
    trigger_ratio: float = 0.75
    preserve_recent_pairs: int = 2
    protect_last_messages: int = 10
    summary_max_tokens: int = 300
    summary_budget_ratio: float = 0.2
    summary_ceiling_chars: int = 3000
    summary_floor_chars: int = 500
    min_prefix_to_compact: int = 2
    first_user_anchor: bool = True
    first_user_anchor_tokens: int = 400


class SearchConfig(Section):
    """mode: "hybrid" or "lexical"; limit: hits returned by default.

    recency, importance: weight of newer and of more often used memory, from 0 (off) to 1.
    """

    mode: str = "hybrid"
    limit: int = 10
    recency: float = 0.0
    importance: float = 0.0


class EmbedderConfig(Section):
    """kind: "embedded" (ships with mnemofs), "openai" (any compatible endpoint) or "none".

    schedule: when texts that still have no vector get one, and large indexes are put in order.
    """

    kind: str = "embedded"
    schedule: str = "0 4 * * *"
    base_url: str = ""
    model: str = ""
    api_key_env: str = "OPENAI_API_KEY"
    dims: int = 0
    timeout: float = 30.0


class ModelConfig(Section):
    """The chat model for engine "llm": any OpenAI-compatible endpoint. timeout in seconds."""

    base_url: str = ""
    name: str = ""
    api_key_env: str = "OPENAI_API_KEY"
    timeout: float = 120.0
    max_tokens: int = 4096


class StoreConfig(Section):
    """durability: "full" (file, objects and ref reach the disk before a write is acknowledged) or
    "ref-only"."""

    durability: str = "full"


class Config(Section):
    """Everything a workspace was told, with `warnings` for what could not be used."""

    agent: AgentConfig = AgentConfig()
    files: FilesConfig = FilesConfig()
    owners: OwnersConfig = OwnersConfig()
    extraction: ExtractionConfig = ExtractionConfig()
    conversations: ConversationsConfig = ConversationsConfig()
    dreaming: DreamingConfig = DreamingConfig()
    consolidation: ConsolidationConfig = ConsolidationConfig()
    soul: SoulConfig = SoulConfig()
    facts: FactsConfig = FactsConfig()
    recall: RecallConfig = RecallConfig()
    search: SearchConfig = SearchConfig()
    embedder: EmbedderConfig = EmbedderConfig()
    model: ModelConfig = ModelConfig()
    providers: ProvidersConfig = ProvidersConfig()
    mem0: Mem0Config = Mem0Config()
    window: WindowConfig = WindowConfig()
    store: StoreConfig = StoreConfig()
    warnings: tuple[str, ...] = ()

    def zone(self) -> tzinfo:
        """The workspace's time zone. Raises ConfigError for an unknown name."""
        from mnemofs.clock import load_zone

        return load_zone(self.agent.timezone)

    def clock(self) -> Clock:
        """The system clock in the workspace zone."""
        from mnemofs.clock import Clock

        return Clock(self.agent.timezone)
