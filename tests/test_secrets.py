"""Secrets are found by their shape, masked by value, and prose stays as it is."""

from __future__ import annotations

import random
import string
import time
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemofs.secrets import mask, scan

LETTERS = string.ascii_letters + string.digits
PEM = "-----BEGIN {0}PRIVATE KEY-----\n{1}\n-----END {0}PRIVATE KEY-----"
BODY = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj\n" * 3


def some(count: int, letters: str = LETTERS) -> str:
    """A made-up value that holds both letters and digits."""
    return "a1" + "".join(random.Random(count).choices(letters, k=count - 2))


TOKENS = [
    *(("GitHub token", f"gh{letter}_" + some(36)) for letter in "pousr"),
    ("GitHub token", "ghp_" + "A" * 36),
    ("GitHub token", "github_pat_" + some(22) + "_" + some(59)),
    ("GitLab token", "glpat-" + some(20)),
    ("Slack token", "xoxb-123456789012-123456789012-" + some(24)),
    ("Slack token", "xoxe.xoxp-1-" + some(40)),
    ("Slack token", "xapp-1-A0123456789-1234567890123-" + some(64)),
    ("OpenAI key", "sk-" + "b" * 40),
    ("OpenAI key", "sk-" + some(48)),
    ("OpenAI key", "sk-proj-" + some(60) + "_" + some(20)),
    ("Anthropic key", "sk-ant-api03-" + some(90) + "-AA"),
    ("OpenRouter key", "sk-or-v1-" + some(64, "abcdef0123456789")),
    ("AWS access key", "AKIA" + "B" * 16),
    ("AWS access key", "ASIAIOSFODNN7EXAMPLE"),
    ("Google key", "AIza" + some(35)),
    ("Google token", "ya29." + some(60)),
    ("Stripe key", "sk_live_" + some(24)),
    ("Stripe key", "rk_test_" + some(24)),
    ("Stripe webhook secret", "whsec_" + some(32)),
    ("npm token", "npm_" + some(36)),
    ("Hugging Face token", "hf_" + some(34)),
    ("SendGrid key", "SG." + some(22) + "." + some(43)),
    ("JWT", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P"),
    ("Telegram bot token", "123456789:AA" + some(33)),
]


@pytest.mark.parametrize(("kind", "token"), TOKENS)
@pytest.mark.parametrize(
    "around",
    [
        "{}",
        "my token is {} ok?",
        "- key: `{}`",
        '"{}",',
        "({}).",
        "x={}\n",
        "钥匙{}。",
        "https://x.y/?t={}&z=1",
    ],
)
def test_issued_tokens_are_found_anywhere(kind: str, token: str, around: str) -> None:
    text = f"line one\n{around.format(token)}\nlast"
    masked, findings = mask(text)
    assert token not in masked and token[-12:] not in masked
    assert [finding.line for finding in findings] == [2]
    assert "[redacted: " in masked and masked.endswith("\nlast")
    if "=" not in around and ":" not in around and " is " not in around:
        assert findings[0].kind == kind
        assert text[findings[0].start : findings[0].end] == token


@pytest.mark.parametrize("name", ["", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED ", "DSA "])
@pytest.mark.parametrize(
    "shape",
    ["{}", "before\n{}\nafter", "> quoted", "    indented", "escaped", "one line", "crlf"],
)
def test_private_keys_are_masked_as_a_whole(name: str, shape: str) -> None:
    key = PEM.format(name, BODY.strip())
    if shape == "> quoted":
        text = "> " + key.replace("\n", "\n> ")
    elif shape == "    indented":
        text = "    " + key.replace("\n", "\n    ")
    elif shape == "escaped":
        text = '{"pem": "' + key.replace("\n", "\\n") + '"}'
    elif shape == "one line":
        text = key.replace("\n", " ")
    elif shape == "crlf":
        text = key.replace("\n", "\r\n")
    else:
        text = shape.format(key)
    masked, findings = mask(text)
    assert [finding.kind for finding in findings] == ["private key"]
    assert "MII" not in masked and "[redacted: private key]" in masked
    assert ("before" in masked) == ("before" in text)


def test_a_private_key_that_was_cut_off_is_masked_as_far_as_it_goes() -> None:
    text = f"-----BEGIN RSA PRIVATE KEY-----\n{BODY}and that was it, I think"
    masked, _ = mask(text)
    assert "MII" not in masked and masked.endswith("I think")
    two = f"{PEM.format('', BODY)}\nkeep me\n{PEM.format('EC ', BODY)}\n"
    assert mask(two)[0] == "[redacted: private key]\nkeep me\n[redacted: private key]\n"
    pgp = "-----BEGIN PGP PRIVATE KEY BLOCK-----\nlQOYBF\n-----END PGP PRIVATE KEY BLOCK-----"
    assert mask(pgp)[0] == "[redacted: private key]"


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("postgres://u:pw9@h/db", "postgres://u:[redacted: password]@h/db"),
        ("redis://:p4ss@localhost:6379", "redis://:[redacted: password]@localhost:6379"),
        (
            "https://bot:a%20b@host.example/x?y=1",
            "https://bot:[redacted: password]@host.example/x?y=1",
        ),
        ("amqp://me:x1@[::1]:5672", "amqp://me:[redacted: password]@[::1]:5672"),
        ("curl -u ada:s3cret9 https://x.y", "curl -u ada:[redacted: password] https://x.y"),
        ("Authorization: Basic dXNlcjpwYXNzMTIz", "Authorization: Basic [redacted: bearer token]"),
        ("send Bearer abcdef0123456789abcdef", "send Bearer [redacted: bearer token]"),
    ],
)
def test_urls_and_headers_keep_user_and_host(text: str, masked: str) -> None:
    assert mask(text)[0] == masked


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("password: hunter2", "hunter2"),
        ("password: swordfish", "swordfish"),
        ("Passwort: geheim7", "geheim7"),
        ("**password**: hunter22", "hunter22"),
        ("my password is hunter2!", "hunter2!"),
        ("The wifi password at home is Fluffy2024.", "Fluffy2024"),
        ("Mi contraseña del wifi es Tr0mpete99", "Tr0mpete99"),
        ("Mon mot de passe wifi est Tr0mpete99", "Tr0mpete99"),
        ("Mein WLAN-Passwort ist Tr0mpete99", "Tr0mpete99"),
        ("密码是 Abc123456", "Abc123456"),
        ("パスワードはneko2025です", "neko2025"),
        ("DB_PASSWORD=s3cr3tpw", "s3cr3tpw"),
        ("export AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "wJalrXUtnFEMI"),
        ('{"api_key": "abcd1234efgh"}', "abcd1234efgh"),
        ("client_secret = '9f8e7d6c5b4a'", "9f8e7d6c5b4a"),
        ("apiKey := `zz99yy88xx77`", "zz99yy88xx77"),
        ("https://x.com/?access_token=abc123def456&x=1", "abc123def456"),
        ("//registry.example/:_authToken=abc123def456", "abc123def456"),
        ("PIN is 4821", "4821"),
    ],
)
def test_assignments_lose_the_value_and_keep_the_name(text: str, value: str) -> None:
    masked, findings = mask(text)
    assert findings and value not in masked
    assert masked.startswith(text[: text.index(value)])


@pytest.mark.parametrize(
    "prose",
    [
        "my API key lives in 1Password",
        "The password is in 1Password, ask Nora.",
        "Reset your password at https://example.org/reset",
        "Passwords: rotate every 90 days",
        "password: required",
        "password: ${DB_PASSWORD}",
        "password: <your password>",
        "password: ********",
        "password: [redacted: password]",
        "password = getpass.getpass()",
        "The password policy is 12 characters with 2 digits",
        "The password is case-sensitive.",
        "api_key = os.environ['OPENAI_API_KEY']",
        'api_key_env = "OPENAI_API_KEY"',
        "api_key: OPENAI_API_KEY",
        "max_tokens: 4096, token: 12-hour expiry",
        "The token is JWT-based and lasts 15 minutes.",
        "The secret: start before 9am",
        "Secret Santa: 2026-12-20",
        "commit 3d4d552459360234d73a01c760e188921c127cd1",
        "id 550e8400-e29b-41d4-a716-446655440000",
        "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "![](data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk)",
        "-----BEGIN PRIVATE KEY----- marks where a key starts",
        "-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTAN\n-----END CERTIFICATE-----",
        "postgres://user:password@localhost/db is the usual form",
        "http://localhost:8080/a@b and mail a@b.c",
        "scikit: sk-learn, and sk-something-else-entirely",
        "Bearer tokens are hashed at rest",
        "basic understanding of authentication",
        "pin 13 drives the LED",
        "密码在1Password里",
        "パスワードは変更しました",
        "Das Passwort steht im Tresor.",
        "La contraseña está en el cajón.",
        "key: MEMORY.md",
        "Compass: N45E, passport: on the shelf",
        "glasses and sketches, xoxo",
    ],
)
def test_prose_and_identifiers_stay_untouched(prose: str) -> None:
    assert mask(prose) == (prose, ())
    assert mask(prose, deep=True) == (prose, ())


def test_deep_scanning_knows_more_issuers() -> None:
    token = "M" + some(23) + ".Xabcde." + some(27)
    mailchimp = some(32, "abcdef0123456789") + "-us12"
    text = f"discord {token}\nmailchimp {mailchimp}\n"
    masked, findings = mask(text, deep=True)
    assert [(finding.kind, finding.line) for finding in findings] == [
        ("Discord bot token", 1),
        ("Mailchimp key", 2),
    ]
    assert masked == "discord [redacted: Discord bot token]\nmailchimp [redacted: Mailchimp key]\n"


def test_a_finding_holds_no_part_of_the_secret() -> None:
    (finding,) = scan("a\nb password: hunter22\n")
    assert (finding.kind, finding.line) == ("password", 2)
    assert "hunter" not in repr(finding)


def test_neighbours_and_overlaps_become_one_mask_each() -> None:
    text = "api_key=" + "ghp_" + some(36) + " password: hunter22, token: abc12345"
    masked, findings = mask(text)
    assert len(findings) == 3 and masked.count("[redacted: ") == 3
    assert masked.startswith("api_key=[redacted: ")
    spans = [(finding.start, finding.end) for finding in findings]
    assert spans == sorted(spans) and all(a[1] <= b[0] for a, b in pairwise(spans))


SOUP = st.lists(
    st.sampled_from(
        [
            *(token for _, token in TOKENS),
            PEM.format("", "MIIEvQIBADAN"),
            *("password: ", "is ", "=", '"', "'", " ", "\n", "hunter22", "postgres://u:pw9@h/db"),
            *(
                "-----BEGIN PRIVATE KEY-----",
                "sk-",
                "token",
                "Bearer ",
                "eyJ",
                "İ",
                "密码是",
                "://",
            ),
        ]
    )
    | st.text(max_size=8),
    max_size=14,
).map("".join)


@given(SOUP)
@settings(max_examples=300, deadline=None)
def test_masking_twice_changes_nothing_more(text: str) -> None:
    masked, findings = mask(text)
    assert mask(masked) == (masked, ())
    kept = []
    position = 0
    for finding in findings:
        kept.append(text[position : finding.start])
        assert finding.line == text.count("\n", 0, finding.start) + 1
        position = finding.end
    kept.append(text[position:])
    place = 0
    for part in kept:  # everything outside the findings is still there, in order
        place = masked.index(part, place) + len(part)


@given(st.text(max_size=300))
@settings(max_examples=200, deadline=None)
def test_any_text_is_scanned_without_an_exception(text: str) -> None:
    scan(text, deep=True)


@pytest.mark.parametrize(
    "unit",
    [
        *(
            "password ",
            "password is ",
            "password: ",
            'token="',
            "://a:",
            "eyJ",
            "eyJaaaaaaaa.",
            "a",
        ),
        *(
            "-----BEGIN PRIVATE KEY-----",
            "gl",
            "sk-",
            "secret",
            "api key for a b ",
            "pw=a.b.",
            "x_",
        ),
        *(
            "Bearer a",
            " -u a:",
            "密码是",
            "clé ",
            "key",
            "mot de passe ",
            "//a/:_authToken",
            "İpass",
        ),
    ],
)
def test_SEC_08_hostile_text_costs_linear_time(unit: str) -> None:
    text = (unit * 100_000)[:100_000]
    started = time.process_time()
    scan(text, deep=True)
    assert time.process_time() - started < 2.5
