"""What secrets look like: issued tokens, keys, URLs and assignments, and what only looks like one.

Data for `secrets`, with the one judgement that needs it: whether a value can be a secret.
"""

from __future__ import annotations

import re

# (kind, what the text must contain at all, shape). Sources: the issuers' own documentation.
_SHAPES: tuple[tuple[str, tuple[str, ...], str], ...] = (
    ("GitHub token", ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"), r"gh[pousr]_[A-Za-z0-9]{36,255}"),
    ("GitHub token", ("github_pat_",), r"github_pat_[A-Za-z0-9_]{40,255}"),
    ("GitLab token", ("gl",), r"gl(?:pat|dt|rt|cbt|ptt|oas|ft|imt|soat|agent)-[\w.-]{20,255}"),
    ("Slack token", ("xox",), r"xox[abceoprs](?:\.xox[bp])?-[A-Za-z0-9-]{10,255}"),
    ("Slack token", ("xapp-",), r"xapp-\d-[A-Za-z0-9-]{20,255}"),
    ("Anthropic key", ("sk-ant-",), r"sk-ant-[\w-]{20,255}"),
    ("OpenRouter key", ("sk-or-",), r"sk-or-[\w-]{20,255}"),
    ("OpenAI key", ("sk-",), r"sk-(?:proj|svcacct|admin|None)-[\w-]{20,255}"),
    ("OpenAI key", ("sk-",), r"sk-[A-Za-z0-9]{20,255}"),
    ("AWS access key", ("AKIA", "ASIA", "ABIA", "ACCA"), r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}"),
    ("Google key", ("AIza",), r"AIza[\w-]{35}"),
    ("Google token", ("ya29.",), r"ya29\.[\w-]{20,2048}"),
    ("Google client secret", ("GOCSPX-",), r"GOCSPX-[\w-]{20,64}"),
    ("Stripe key", ("k_live_", "k_test_"), r"[sr]k_(?:live|test)_[A-Za-z0-9]{16,255}"),
    ("Stripe webhook secret", ("whsec_",), r"whsec_[A-Za-z0-9+/=]{20,255}"),
    ("npm token", ("npm_",), r"npm_[A-Za-z0-9]{36}"),
    ("PyPI token", ("pypi-",), r"pypi-AgE[\w-]{40,512}"),
    ("Hugging Face token", ("hf_",), r"hf_[A-Za-z0-9]{30,64}"),
    ("Groq key", ("gsk_",), r"gsk_[A-Za-z0-9]{40,64}"),
    ("xAI key", ("xai-",), r"xai-[A-Za-z0-9]{40,128}"),
    ("SendGrid key", ("SG.",), r"SG\.[\w-]{16,32}\.[\w-]{32,64}"),
    ("DigitalOcean token", ("_v1_",), r"do[opr]_v1_[a-f0-9]{64}"),
    ("Shopify token", ("shp",), r"shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}"),
    ("Databricks token", ("dapi",), r"dapi[a-f0-9]{32}(?:-\d)?"),
    ("Linear key", ("lin_api_",), r"lin_api_[A-Za-z0-9]{40}"),
    ("Notion token", ("ntn_",), r"ntn_[A-Za-z0-9]{40,64}"),
    ("Vault token", ("hvs.", "hvb."), r"hv[sb]\.[\w-]{24,255}"),
    ("age key", ("AGE-SECRET-KEY-",), r"AGE-SECRET-KEY-1[A-Z0-9]{58}"),
    ("Telegram bot token", (":AA",), r"\d{8,10}:AA[\w-]{33}"),
    ("Azure storage key", ("AccountKey=",), r"(?<=AccountKey=)[A-Za-z0-9+/]{86}=="),
    ("Slack webhook", ("hooks.slack.com",), r"(?<=hooks\.slack\.com/services/)[\w/]{20,128}"),
    ("JWT", ("eyJ",), r"eyJ[\w-]{8,4096}\.eyJ[\w-]{8,8192}(?:\.[\w-]{0,4096})?"),
)
COMPILED = tuple(
    (kind, literals, re.compile(rf"(?<![A-Za-z0-9]){shape}(?![A-Za-z0-9])"))
    for kind, literals, shape in _SHAPES
)


PEM_BEGIN = re.compile(r"-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----")
PEM_END = re.compile(r"-----END (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----")
_PEM_GAP = r"(?:\s|\\[nr]|[>|*+-] ){0,40}"
PEM_BODY = re.compile(
    rf"(?:{_PEM_GAP}"
    r"(?:[A-Za-z0-9+/=]{24,}|(?:Proc-Type|DEK-Info|Version|Comment): [^\n]{0,80}))+"
    rf"(?:{_PEM_GAP}[A-Za-z0-9+/]{{0,24}}={{1,2}})?"
)
KEY_BYTES = re.compile(r"[A-Za-z0-9+/=]{6}")


URL_PASSWORD = re.compile(
    r"://(?P<user>[^\s:/@?#\"'`<>]{0,128}):(?P<value>[^\s/@\"'`]{1,256})@(?=[\w\[.-])"
)
COMMAND_PASSWORD = re.compile(
    r"(?:\s-u|\s--user)[ =]?[\"']?[\w.@-]{1,64}:(?P<value>[^\s\"']{3,128})"
)


HEADER = re.compile(
    r"(?:\bAuthorization[\"']?\s{0,2}[:=]\s{0,2}[\"']?(?P<scheme>(?:Basic|Token|Bearer|ApiKey)"
    r"\s{1,4})?|\bBearer\s{1,4})[\"']?(?P<value>[A-Za-z0-9._~+/=-]{12,4096})",
    re.IGNORECASE,
)


# Names to which a secret is assigned, by what the mask calls it. "password" may be any word; for
# the others the value must look issued.
NAMES: tuple[tuple[str, str], ...] = (
    (
        "password",
        r"password|passwd|passphrase|passcode|passwort|kennwort|contraseña|contrasena|senha"
        r"|mot[ _]de[ _]passe|(?<![A-Za-z])(?:pass|pwd|pw|psw|mdp)"
        r"|密码|密碼|口令|パスワード|비밀번호|пароль",
    ),
    (
        "API key",
        r"api[ _-]?(?:secret[ _-]?)?key|apikey|access[ _-]?key(?:[ _-]?id)?"
        r"|secret[ _-]?(?:access[ _-]?)?key"
        r"|private[ _-]?key|encryption[ _-]?key|signing[ _-]?key|account[ _-]?key|密钥|密鑰|APIキー"
        r"|api-schlüssel|clave(?: de)? api|clé (?:d['’])?api",
    ),
    ("secret", r"(?:client|app|shared|webhook|jwt|session)?[ _-]?secret"),
    ("token", r"(?:(?:access|auth|refresh|bot|session|id|api|bearer)[ _-]?)?token|令牌|トークン"),
)
_NAME = "|".join(f"(?P<n{index}>{names})" for index, (_, names) in enumerate(NAMES))
_WHOSE = (
    # One word of whose it is, unless that makes it another thing ("password policy").
    r"(?:\s(?!field|polic|manager|length|hash|reset|file|name|rule|generat|strength|format|prompt"
    r"|type|count|limit|budget|size)[\w-]{2,20}(?=\s(?:is|was|ist|lautet|es|est|é)\s))?"
    r"(?:\s(?:for|to|of|at|on|für|von|vom|del|de|para|pour|du)(?:\s[\w'’.@/-]{1,30}){1,4}?)?"
)
_IS = (
    rf"(?:{_WHOSE}\s{{1,3}}(?:is|was|ist|lautet|es|est|é)\s{{1,3}}(?:now\s|jetzt\s|ahora\s)?"
    r"|\s{0,2}(?:是|为|為|は)\s{0,2})"
)
_VALUE = (
    r"(?:\"(?P<dq>[^\"\n]{3,256})\"|'(?P<sq>[^'\n]{3,256})'|`(?P<bq>[^`\n]{3,256})`"
    r"|(?P<bare>[^\s\"'`<>，。；、]{3,256}))"
)
ASSIGNED = re.compile(
    rf"(?:{_NAME})(?:[\"'`\]*]{{0,3}}\s{{0,3}}(?P<sign>:=|=>|==?|[:：＝])\s{{0,3}}\*{{0,2}}\s?|{_IS}){_VALUE}",
    re.IGNORECASE,
)
PIN = re.compile(
    r"(?<![A-Za-z])(?:PIN|Pin|pin)(?:[ -](?:code|number))?\s{0,2}(?::|=|is|ist|es|est)"
    r"\s{0,2}(?P<value>\d{4,8})\b"
)
# Plain searches for these find where to look closely: one stands in every name above, at most so
# many characters behind the name's beginning.
STEMS = {
    **dict.fromkeys(("key", "schlüssel", "キー", "api"), 16),
    **dict.fromkeys(("pass", "clé", "clave"), 7),
    **dict.fromkeys(("pwd", "pw", "psw", "mdp", "contrase", "kennwort", "senha"), 0),
    **dict.fromkeys(
        ("secret", "token", "密", "口令", "令牌", "パスワード", "トークン", "비밀", "пароль"), 0
    ),
}


def plausible(value: str, kind: str, *, signed: bool, alone: bool) -> bool:
    if stands_for_a_value(value) or value.lower() in SAMPLE_PASSWORDS:
        return False
    if kind == "password":
        if strong(value) and len(value) >= 5:
            return True
        if value.isdigit():
            return len(value) >= 6
        # One plain word after a sign is a password unless it is a word that people write there.
        return (
            signed
            and alone
            and len(value) >= 6
            and " " not in value
            and not _ORDINARY.fullmatch(value)
        )
    return strong(value) and len(value) >= 8 and " " not in value


def strong(value: str) -> bool:
    """Letters with digits or with marks that words do not have."""
    if " " in value.strip():
        return False
    letters = re.search(r"[^\W\d_]", value) is not None
    return letters and re.search(r"[\d!@#$%^&*+=~?§€£]", value.rstrip("!?")) is not None


# Text that stands where a secret would: variables, placeholders, masks, paths, names of things.
_NO_VALUE = re.compile(
    r"""
    [*•·xX.\-_#?…]+ | <.* | \{.* | \$.* | %.*% | \[.* | \(.* | @\w+ | \\[A-Za-z]\w* | [|&].*
  | [a-z][a-z0-9+.-]*://.* | (?:~|\.{1,2})?/[\w./-]+ | (?:[\w-]+/)+[\w.-]+\.\w{1,5}
  | [\w.-]*\.(?:env|ya?ml|json|toml|txt|md|py|js|ts|ini|conf|cfg|pem|kdbx|gpg)
  | [A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+ | [\w.]+\(.* | [\w.]+\[.*
  | (?:os|process|config|self|settings|env|secrets|vars|args|options|request|user|this)\.[\w.]+
  | v?\d+(?:\.\d+)+\S{0,10} | \d{4}-\d{2}-\d{2}\S* | \d{1,2}:\d{2}\S* | \d+(?:\.\d+)?%
  | \d+[-_\s]?(?:hours?|h|min|minutes?|days?|d|weeks?|months?|years?|chars?|characters?|digits?
      |words?|bits?|bytes?|fa|factor|px|ms|s|k|kb|mb|times|x)\S{0,20}
  | (?:base(?:32|58|64)|sha-?\d+|md5|bcrypt|argon2\w*|utf-?8|oauth-?2|aes-?\d*|ed25519|x509
      |[rhep]s(?:256|384|512)|pkcs\d+|pbkdf2|scrypt|oidc|sso|totp|mfa|2fa|k8s|s3|ec2|h2|http2
      |ipv[46])(?:[-_/.]\S*)?
  | (?:1password|bitwarden|keepass\w*|lastpass|dashlane|keychain|vault|proton\w*|nordpass)
    (?:['’.\-/]\S*)?
  | (?:your|my|some|the|an?|example|sample|dummy|fake|test|insert|enter|new|old)[-_.](?:\S*)
  | (?:example|sample|dummy|placeholder|redacted|changeme|change-me|todo|tbd|n/a|null|none|nil
      |true|false|undefined|empty|unset|unknown|hidden|masked|removed|omitted|required|optional)
    (?:[-_.]?\d*)
    """,
    re.VERBOSE | re.IGNORECASE,
)
_CASED = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")
SAMPLE_PASSWORDS = {"password", "passwd", "passwort", "pass", "pwd", "secret", "token", "apikey"}
_ORDINARY = re.compile(
    r"""(?:re)?(?:quired|set|settings?|solved|stored|store)|changed?|managers?|hash(?:ed|es|ing)?
    |expired|protected|encrypted|fields?|strings?|optional|missing|incorrect|invalid|wrong|correct
    |unknown|forgotten|rotated?|rotation|policy|policies|security|length|strength|generator|logins?
    |sign-?in|number|boolean|integer|varchar|nullable|default|disabled|enabled|pending|private
    |public|shared|secure|accounts?|usernames?|emails?|please|always|never|should|cannot|without
    |instead|before|after|where|which|everyone|nobody|someone|nothing|something|later|asked|given
    |reused?|unique|strong|longer|shorter|wechseln|ändern|vergessen|erforderlich|geändert|cambiar
    |cambiada|obligatoria|olvidada|changer|oublié|obligatoire
    |[\w-]*[- ][\w-]*|[a-z]+(?:_[a-z]+)+""",
    re.VERBOSE | re.IGNORECASE,
)


def stands_for_a_value(value: str) -> bool:
    match = _NO_VALUE.fullmatch(value)
    if match is None:
        return False
    # Environment names are upper-case; the same shape in lower case may be a real value.
    by_name = re.fullmatch(r"[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+", value)
    return (
        by_name is None
        or _CASED.fullmatch(value) is not None
        or value.lower().startswith(
            (
                "your_",
                "my_",
                "some_",
                "the_",
                "example_",
                "sample_",
                "dummy_",
                "fake_",
                "test_",
                "insert_",
            )
        )
    )


# The issuers that the shapes above leave out. Not used: entropy, IP addresses and keyword guesses,
# which hit prose.
DETECTORS = (
    ("Discord bot token", "discord", "DiscordBotTokenDetector"),
    ("IBM Cloud key", "ibm_cloud_iam", "IbmCloudIamDetector"),
    ("IBM COS key", "ibm_cos_hmac", "IbmCosHmacDetector"),
    ("Cloudant key", "cloudant", "CloudantDetector"),
    ("Mailchimp key", "mailchimp", "MailchimpDetector"),
    ("SoftLayer key", "softlayer", "SoftlayerDetector"),
    ("Square secret", "square_oauth", "SquareOAuthDetector"),
    ("Twilio key", "twilio", "TwilioKeyDetector"),
    ("Azure storage key", "azure_storage_key", "AzureStorageKeyDetector"),
)
