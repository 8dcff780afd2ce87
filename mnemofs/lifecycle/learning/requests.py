"""What a person asked the memory itself for: to keep something, or to forget something.

English, Chinese, Japanese, German, Spanish and French. A question ("do you remember …?"), a
negation ("don't remember this"), a figure of speech ("I can't remember", "don't forget to eat"), a
quotation and code are not such requests; "don't forget that …" is one to remember (mateclaw W-30).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_FLAGS = re.IGNORECASE
# A request opens a clause: the start, after punctuation, or after words that only soften it.
_OPEN = (
    r"(?:^|[.!?;:,…—–\n\"'“”()\[\]*>-]|\b(?:and|also|but|so|then|ok|okay|please|pls|plz|hey|hi|now"
    r"|just|kindly|can (?:you|u)|could (?:you|u)|would you|will you|let's"
    r"|i(?:'d| would) like you to|i want you to"
    r"|i need you to|you should|you must|you need to|make sure (?:to|you)|be sure to|try to|always"
    r"|und|bitte|auch|dann|also|y|por favor|también|et|s'il te pla[iî]t|s'il vous pla[iî]t"
    r"|stp|svp|aussi|alors|merci de))\s*"
)
_REMEMBER = re.compile(
    "|".join(
        (
            # English
            rf"(?:{_OPEN}|\bimportant that you\s+)(?:remember|rmb|memori[sz]e)\b"
            r"(?!\(|\s*(?:when|how we|the time|me\b|\?|those|back when))",
            rf"{_OPEN}(?:keep|bear) (?:this|that|it|in)\b[^.!?\n]{{0,30}}\bmind\b",
            r"\b(?:thing|point|fact)s? to remember\s*:",
            rf"{_OPEN}(?:make|take) (?:an? )?(?:mental |quick )?note(?: (?:of|that)\b|\s*:)",
            rf"{_OPEN}note to self\s*:",
            rf"{_OPEN}(?:save|store|keep)(?: (?:this|that|it))?(?: for later)?\s*:",
            rf"{_OPEN}update (?:your|the) memory\b|\bso (?:that )?you remember\b",
            rf"{_OPEN}note (?:that|this|down)\b|{_OPEN}note\s*:",
            r"\b(?:save|store|add|write|put|commit|keep|record)\b[^.!?\n]{0,60}"
            r"\b(?:to|in|into) (?:(?:your|the|my|long[- ]term) )*memory\b",
            r"\b(?:don't|do not|dont|never) forget\b(?!\s+to\b)",
            r"\bfor future reference\b",
            # German
            rf"{_OPEN}(?:merk(?:e|en sie)?) (?:dir|euch|sich)\b",
            rf"{_OPEN}(?:behalte?|behalten sie|erinnere? dich daran|denke? da?ran)\b(?!,?\s+zu\b)",
            rf"{_OPEN}(?:notiere?|notieren sie)\b(?=[^.!?\n]{{0,60}}(?:dir|bitte|:|dass|auf\b))",
            rf"{_OPEN}(?:speichere?|speichern sie|schreib(?:e)?)\b"
            r"(?=\s*:|[^.!?\n]{0,60}\b(?:dir (?:auf|das|bitte|:|merk)|dass|gedächtnis|erinnerung))",
            r"\bvergiss (?:bitte )?nicht\b(?!,? zu\b|[^.!?\n]*\bzu \w+n\b\s*[.!]*\s*$)",
            r"\b(?:kannst|könntest|würdest) du dir[^.!?\n]{0,80}merken\b"
            r"|\b(?:möchte|will),? dass du dir[^.!?\n]{0,80}\bmerkst\b",
            rf"{_OPEN}(?:nimm|nehmen sie)\b[^.!?\n]{{0,60}}\bgedächtnis\b",
            rf"{_OPEN}halte?n?(?: sie)? (?:bitte )?fest,? dass\b",
            # Spanish
            rf"{_OPEN}(?:recuerda|recuerde|recu[eé]rdalo|acu[eé]rdate de|anota|apunta|memoriza)\b"
            r"(?!\s+(?:cuando|a)\b)",
            rf"{_OPEN}guarda(?:\s+(?:esto|eso|que|en (?:(?:tu|la) )?memoria)\b|\s*:)",
            r"\b(?:puedes|podr[ií]as) recordar (?:que|mi|esto)\b",
            r"\b(?:quiero|necesito|me gustar[ií]a) que (?:recuerdes|te acuerdes)\b",
            rf"{_OPEN}ten(?:ga)? en cuenta\b",
            r"\bno (?:olvides|te olvides de|se olvide de|olvide) (?:que|esto|mi)\b",
            # French
            rf"{_OPEN}(?:prends|prenez) note\b|{_OPEN}à retenir\s*:",
            rf"{_OPEN}(?:souviens-toi|souvenez-vous|rappelle-toi|rappelez-vous|retiens|retenez"
            r"|mémorise|mémorisez|garde[z]? (?:en mémoire|en tête|à l'esprit))\b",
            rf"{_OPEN}(?:note|notez|enregistre|enregistrez)"
            r"(?:\s+(?:que|qu'|ceci|cela|ça|bien|dans (?:ta|votre|la) mémoire)(?!\w)|\s*:)",
            r"\b(?:peux-tu|pourrais-tu|pouvez-vous)"
            r" (?:retenir|noter|mémoriser|te souvenir) (?:que|qu')",
            r"\bje (?:veux|voudrais) que tu (?:te souviennes|retiennes|notes)\b",
            r"\bn(?:e |')oublie[sz]? pas (?:que|ceci|cela|mon|ma|mes)\b",
            # Chinese
            r"(?:请|請|要|帮我|幫我|麻烦|你|得|把[^。！？\n]{1,40})?(?:记住|記住|记下来?|記下來?|记好|牢记|牢記"
            r"|记录一下|記錄一下|记一下|記一下|记得(?!吗|嗎|么|不|清|我们|那|吃|喝|带|去|买|睡)|記得(?!嗎|吗|不|清|我們|那|吃|喝|帶|去|買|睡)|铭记)",
            r"(?:保存|写入|寫入|存入|存到|加入|加到|记入|記入)(?:到|进|進)?(?:你的|长期|長期)?(?:记忆|記憶)",
            r"(?:别忘了?|別忘了?|不要忘记|不要忘記|勿忘)(?!吃|带|帶|去)",
            # Japanese
            r"(?:覚えて|憶えて|おぼえて)(?:おいて|おけ|ください|下さい|ね(?![？?])|て|よ)"
            r"|(?:覚えて|憶えて|おぼえて)(?=\s*[:：])|(?:覚え|憶え|おぼえ)(?:とい|てもらえ)",
            r"(?:記憶|メモ|記録)(?:して|に残して|に保存|しておいて)",
            r"忘れないで",
        )
    ),
    _FLAGS | re.MULTILINE,
)
_NOT_REMEMBER = re.compile(
    "|".join(
        (
            r"\b(?:do|did|don't|does|doesn't|didn't|can't) (?:you|u|ya|i|we|they|he|she)"
            r"(?: (?:still|even|really|not|ever))* (?:remember|recall)\b(?![^.!?\n]*\bplease\b)",
            r"\b(?:can|could) (?:you|u|i|we|they|he|she)(?: still)? (?:remember|recall)\b"
            r"(?!\s+(?:that|this|my)\b)",
            r"\b(?:don't|do not|dont|never|needn't|no need to|please don't|not|cannot|can't|won't"
            r"|stop|without|trying to|hard to|you don't have to) (?:\w+ )?(?:remember|memori[sz]e"
            r"|rmb|keep|save|store|write|note|record|add|put|commit)\b",
            r"\b(?:i|we|they|he|she|it|who|people|users?)(?: (?:still|always|also|even|clearly|just"
            r"|barely|vaguely|now|will|'ll|can|could|must|should|have to|need to))* remembers?\b",
            r"\b(?:remember me|remember my password)\s+(?:checkbox|button|option|box|token|cookie)",
            r"\b(?:erinnerst|weißt) du\b|\b(?:merk|behalte?|notiere?|speichere?|schreib)e?"
            r"\b[^.!?\n,:]{0,40}\b(?:nicht|nichts|kein\w*)\b",
            r"¿[^?]*\b(?:recuerdas|te acuerdas)\b|\bno (?:lo |la |te )?(?:recuerdes|guardes|anotes"
            r"|apuntes|memorices)\b|\bno recuerdo\b",
            r"\b(?:te |tu te )?souviens-tu\b|\btu te souviens\b|\bte rappelles-tu\b"
            r"|\bn(?:e |['’])(?:retiens|retenez|note|notez|mémorise|garde|enregistre)[sz]?"
            r" (?:pas|rien)\b",
            r"(?:还|還|你)?(?:记得|記得|(?<!能)(?<!可以)(?:记住|記住))"
            r"(?:[^。！？\n]{0,30})(?:吗|嗎|么|麼|没有[?？])",
            r"\bremember (?:how|what|who|where|why|if)\b[^.!\n]*\?|\b(?:says?|said|reads?)\s*:"
            r"\s*remember",
            r"(?:不要|别|別|不用|无需|無需|不必|请勿|請勿|没有?|沒有?|不)(?:再|帮我|把[^。！？\n]{1,30})?"
            r"(?:记住|記住|记得|記得|记下|記下|保存|写入|寫入|记录)",
            r"(?:怎么|怎麼|怎样|怎樣|如何)[^。！？\n]{0,10}(?:记|記)"
            r"|我(?:已经|已經|会|會|都|就|自己|也|总是)*(?:记住|記住|记得|記得|记下|記下)",
            r"覚えて(?:い)?(?:ます|る)(?:か|？|\?|の)|(?:覚え|記憶し|メモし|記録し)(?:ないで|なくて|なくて)",
        )
    ),
    _FLAGS | re.MULTILINE,
)
_FORGET = re.compile(
    "|".join(
        (
            rf"{_OPEN}(?:forget|erase|unlearn)\b"
            r"(?!\s+(?:(?:about )?it\b[.!]?\s*$|to\b|me-not|not\b))",
            r"\bstop (?:remembering|storing|keeping)\b",
            r"\b(?:delete|remove|clear|wipe|drop|erase|purge)\b[^.!?\n]{0,80}"
            r"(?:\b(?:(?:from|in|your|long[- ]term) memory|memory (?:of|about|that)|memories"
            r"|remember(?:ed)?|what you know|you know about)\b|\bmemory\s*(?:[.!?]|$))",
            rf"{_OPEN}(?:vergiss|vergessen sie)\b(?!\s+(?:bitte\s+)?(?:nicht|nie)\b)",
            r"\b(?:lösch\w*|entfern\w*)\b[^.!?\n]{0,80}\b(?:gedächtnis|erinnerung\w*)\b",
            rf"{_OPEN}(?:olvida|olvide|olvídate de|olvidate de)\b",
            r"\b(?:borra|elimina|quita)\b[^.!?\n]{0,80}\b(?:memoria|recuerdos?)\b",
            rf"{_OPEN}(?:oublie|oubliez)\b(?!\s+(?:pas|jamais)\b)",
            r"\b(?:efface|supprime|effacez|supprimez)\b[^.!?\n]{0,80}\b(?:mémoire|souvenirs?)\b",
            r"(?<![不别別没沒勿])(?<!不要)(?:请|請|把[^。！？\n]{1,40})?(?:忘掉|忘记|忘記|忘了)(?=[^了吗嗎。？]|吧|$)",
            r"(?:删除|刪除|清除|清空|抹掉|去掉)[^。！？\n]{0,40}(?:记忆|記憶)|(?:记忆|記憶)[^。！？\n]{0,20}(?:删|刪|清)",
            r"忘れて(?:ください|下さい|ほしい|欲しい|くれ|いい|よ|$|。)",
            r"(?:記憶|メモリ)[^。！？\n]{0,30}(?:削除|消去|消して)",
        )
    ),
    _FLAGS | re.MULTILINE,
)
_NOT_FORGET = re.compile(
    r"\b(?:don't|do not|dont|never|won't|can't|not|i|we|they|he|she|always|often) (?:\w+ )?forget"
    r"|(?<!can )(?<!could )(?<!would )(?<!will )(?<!like )(?<!want )(?<!need )\byou (?:\w+ )?forget"
    r"|\bforget about lunch|(?:不要|别|別|勿|没|沒|不会|不會|我)忘|忘れないで"
    r"|\bvergiss (?:bitte )?(?:nicht|nie)|\bno (?:te )?olvid|\bn['e] ?oubli",
    _FLAGS,
)
_QUOTED = re.compile(
    r"^(?P<fence>```+|~~~+)[^\n]*\n.*?(?:^(?P=fence)|\Z)|`[^`\n]+`|^[ \t]*>[^\n]*"
    r"|\"[^\"\n]{1,300}\"|“[^”\n]{1,300}”|„[^“”\n]{1,300}[“”]|«[^»\n]{1,300}»|「[^」\n]{1,300}」"
    r"|『[^』\n]{1,300}』",
    re.MULTILINE | re.DOTALL,
)
# No request without one of these: nearly every sentence is passed over at once.
_REMEMBER_STEMS = (
    "remember", "rmb", "memor", "mind", "note", "forget", "reference", "save", "store", "keep",
    "record", "update", "merk", "behalt", "erinner", "denk", "notier", "speicher", "schreib",
    "vergiss", "gedächtnis", "halte", "recuerd", "recuérd", "acuérd", "acuerd", "anota",
    "apunta", "guarda", "recordar", "cuenta", "olvid", "souv", "rappel", "reten", "retien",
    "enregistr", "mémo", "gard", "oubli", "tenir",
    "记", "記", "忆", "憶", "忘", "铭", "覚え", "おぼえ",
    "メモ",
)  # fmt: skip
_FORGET_STEMS = (
    "forget", "erase", "unlearn", "delete", "remove", "clear", "wipe", "drop", "purge", "stop",
    "vergiss", "vergessen", "lösch", "entfern", "olvid", "borra", "elimina", "quita", "oubli",
    "efface", "supprim", "忘", "删", "刪", "清", "抹", "去掉", "憶", "メモリ",
)  # fmt: skip
_SOURCE_WORK = re.compile(
    r"源码|源碼|源代码|源代碼|代码|代碼|日志|日誌|排查"
    r"|\breview\b|\bdebug\b|\bstack ?trace\b|\btraceback\b",
    _FLAGS,
)
_ONE_OFF = re.compile(
    r"分析|检查|檢查|看一下|看看|修复|修復|问题|問題|待修"
    r"|\b(?:analy[sz]e|check|look at|look into|fix|problem|issue|bug|error|failing)\b",
    _FLAGS,
)
_SENTENCE = re.compile(r"[^.!?。！？\n]+[.!?。！？]*")
_INCOMPLETE = (
    "证据不足",
    "證據不足",
    "未确认",
    "未確認",
    "无法确认",
    "無法確認",
    "failed to generate a response",
    "error_fallback",
)


def asks_to_remember(text: str) -> bool:
    """Whether a person's message asks to keep something."""
    return any(
        _REMEMBER.search(clause) and not _NOT_REMEMBER.search(clause)
        for clause in _clauses(text, _REMEMBER_STEMS)
    )


def asks_to_forget(text: str) -> bool:
    """Whether a person's message asks to drop something from memory."""
    return any(
        _FORGET.search(clause) and not _NOT_FORGET.search(clause)
        for clause in _clauses(text, _FORGET_STEMS)
    )


def is_source_work(text: str) -> bool:
    """Whether a person's message is one-off work on code or logs (mateclaw-contract §3.2)."""
    return _SOURCE_WORK.search(text) is not None and _ONE_OFF.search(text) is not None


def is_incomplete(answer: str) -> bool:
    """Whether an assistant's answer says of itself that it is none (mateclaw-contract §3.2)."""
    lowered = answer.lower()
    return any(sign in lowered for sign in _INCOMPLETE)


def _own_words(text: str) -> str:
    """The text without code and without what is quoted: those are somebody else's words."""
    return _QUOTED.sub(" … ", text[:8000])


def _clauses(text: str, stems: tuple[str, ...]) -> Iterator[str]:
    """Sentences of a person's own first 4000 characters that hold one of the stems; end mark kept:
    a question is one by its mark."""
    for match in _SENTENCE.finditer(_own_words(text)[:4000]):
        lowered = match[0].lower()
        if any(stem in lowered for stem in stems):
            yield match[0]
