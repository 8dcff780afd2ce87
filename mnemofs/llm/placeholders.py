"""Words that stand for text instead of being it: "unchanged", "[rest of file]", 无变化.

Models write them when a prompt asks for a whole file. Stored, they replace the memory they refer to
(LLM-05), are read back by the next prompt, and spread.
"""

from __future__ import annotations

import re

_NOUN = (
    r"(?:files?|documents?|contents?|text|memory|profile|sections?|entries|entry|notes?|items?"
    r"|lines?|parts?|bullets?|information|data)"
)
_STATE = (
    r"(?:unchanged|the same|as is|as it is|as before|as above|omitted(?: for brevity)?|untouched"
    r"|unmodified|identical|intact|not shown|here|the same as before|unaltered)"
)
_BE = r"(?: (?:is|are|stays?|remains?|kept|left|goes|go|continues?|continue|to remain|will stay))?"

# "It is as it was": a whole field that says so, or a bracketed line of a document.
_UNCHANGED = "|".join(
    (
        r"unchanged|un-changed|not changed|no changes?|unmodified|untouched|no updates?",
        r"no (?:changes?|updates?) (?:needed|required|necessary|made|below|above|here)",
        rf"(?:content|text|{_NOUN}) (?:unchanged|omitted|here)|omitted(?: for brevity)?",
        r"same(?: content)? as (?:before|above|existing|previous(?:ly)?)|as before|as above|as is",
        rf"same as (?:the )?(?:original|current|existing|previous)(?: {_NOUN})?",
        r"(?:keep|kept|stays?|remains?)(?: (?:as is|as it is|the same|unchanged))",
        r"无变化|無變化|没有变化|沒有變化|无变更|無變更|无更新|没有更新|无需更新|无需修改|无修改|不变",
        r"不變|保持不变|保持不變|保持原样|维持原样|同上|同前|(?:与|和|跟)(?:之前|以前|上面|原来)(?:相同|一样|一致)",
        r"内容不变|原内容不变|现有内容|原有内容|略|省略|已省略",
        r"変更なし|変更無し|変更はありません|変化なし|更新なし|以前と同じ|前と同じ|前回と同じ|同じ|そのまま|現状維持",
        r"변경 ?없음|변경 ?사항 ?없음|변화 ?없음|변동 ?없음|동일|이전과 동일|그대로|생략",
        r"unverändert|keine (?:änderung(?:en)?|aktualisierung(?:en)?)(?: nötig| erforderlich)?",
        r"(?:gleich )?wie (?:zuvor|vorher|bisher|oben|gehabt)|bleibt(?: gleich| unverändert)?",
        r"siehe oben|véase arriba|voir ci-dessus",
        r"sin (?:cambios?|modificaci(?:ón|ones)|actualizaci(?:ón|ones))|ningún cambio",
        r"no hay cambios|(?:lo mismo|igual) que (?:antes|arriba)|no cambia",
        r"inchangée?s?|aucun changement|aucune (?:modification|mise à jour)",
        r"sans (?:changement|modification)|pas de (?:changement|modification|mise à jour)s?",
        r"rien à changer|identique(?: à avant)?|comme (?:avant|ci-dessus|précédemment)",
        r"sem (?:alteraç(?:ão|ões)|mudanças?)|inalterado|nenhuma (?:alteração|mudança)",
        r"nessuna (?:modifica|variazione)|nessun cambiamento|invariato|come prima",
        r"без изменений|нет изменений|не изменилось|то же самое|как раньше",
        r"geen wijzigingen|ongewijzigd|bez zmian|değişiklik yok",
    )
)

# "See what was here": a whole field, or a line in real brackets (bold it may be a heading).
_POINTER = "|".join(
    (
        rf"(?:keep |keeping |insert )?(?:the |all )?(?:existing|previous|current|original) {_NOUN}",
        rf"(?:keep |insert |include )?(?:the )?(?:rest|remainder)(?: of (?:the )?{_NOUN})?",
    )
)

# "I have nothing to write here": only as a whole field; a document may say "(none)" of a topic.
_NOTHING = "|".join(
    (
        r"none|null|nil|n/a|na|tbd|todo|empty|blank|skip|ditto|same|undefined|placeholder|false",
        r"nothing(?: new)?(?: to (?:add|change|update|record|save|remember|report))?",
        r"see (?:above|before)|string(?: or null)?|text or null",
        rf"(?:the )?(?:full|complete|entire|whole|new|updated|your)(?: new| updated)? {_NOUN}",
        r"无|無|没有|沒有|暂无|空|无内容|没有新内容|なし|無し|特になし|없음",
        r"keine?|nichts(?: neues)?|entfällt|leer|ninguno|ninguna|nada(?: nuevo)?|vacío",
        r"aucune?|rien(?: de nouveau)?|vide|idem|nulla|niente|нет|ничего",
    )
)

# "The rest was here": refused on any line of its own, bare or bracketed.
_REST = "|".join(
    (
        rf"(?:the )?(?:rest|remainder) of (?:(?:the|this|your|my) )?"
        rf"(?:(?:previous|existing|original|current) )?{_NOUN}{_BE}(?: {_STATE})?",
        rf"(?:the )?(?:rest|remainder|everything else|all else){_BE} {_STATE}",
        rf"(?:all )?(?:the )?(?:other|existing|previous|prior|earlier|original|remaining|above)"
        rf" {_NOUN}{_BE} {_STATE}",
        rf"(?:insert|include) (?:the )?(?:existing|previous|original|rest of the) {_NOUN}",
        r"(?:content|text|sections?|lines?) omitted(?: for brevity)?",
        r"(?:其余|其餘|其它|其他|剩余|剩餘|余下|后面|後面|以下|以上|原有|现有|之前)的?"
        r"(?:内容|內容|部分|章节|条目|文件|信息|文本)?(?:均|都|全部)?(?:保持|维持)?"
        r"(?:不变|不變|省略|同上|略|原样|相同|未变|保留|同前)",
        r"(?:此处|中间)?(?:内容)?(?:已)?省略",
        r"(?:以下|以降|残り|その他|他|ほか)の?(?:内容|部分|項目|セクション)?[はも]?"
        r"(?:同じ|変更なし|変更無し|省略|同様|そのまま|略)|中略|後略",
        r"(?:나머지|이하|기존)(?:는|은)? ?(?:내용|부분)?(?:은|는)? ?"
        r"(?:동일|생략|변경 ?없음|그대로|유지)",
        r"(?:der |die |das )?(?:rest|übrige|restliche|übrigen|restlichen|weiteren|bestehende)"
        r"(?: (?:inhalte?|der datei|des dokuments|abschnitte|einträge|text))?"
        r"(?: (?:bleibt|bleiben|ist|sind))?"
        r" (?:unverändert|gleich|wie (?:zuvor|vorher|bisher)|bestehen|weggelassen)",
        r"(?:el )?resto(?: (?:del? )?(?:el |la )?(?:archivo|documento|contenido|texto|memoria))?"
        r"(?: (?:permanece|queda|sigue|es|está|se mantiene))?"
        r" (?:sin cambios|igual(?: que antes)?|intacto|inalterado|omitido)",
        r"(?:le )?reste(?: (?:du (?:fichier|document|contenu|texte)|de la mémoire))?"
        r"(?: (?:est|reste|demeure))? (?:inchangé|identique|sans changement|comme avant|omis)",
        r"(?:o )?resto(?: do (?:arquivo|documento|conteúdo))?(?: permanece)?"
        r" (?:inalterado|igual|sem alterações)",
        r"(?:il )?resto(?: del (?:file|documento))?(?: rimane)? (?:invariato|uguale)",
        r"остальное (?:без изменений|не изменилось|так же|как раньше)",
    )
)

_IS_NOTHING = re.compile(f"{_UNCHANGED}|{_POINTER}|{_NOTHING}|{_REST}", re.IGNORECASE)
_IS_UNCHANGED = re.compile(_UNCHANGED, re.IGNORECASE)
_IS_POINTER = re.compile(f"{_UNCHANGED}|{_POINTER}", re.IGNORECASE)
_IS_REST = re.compile(_REST, re.IGNORECASE)
_ELLIPSIS = re.compile(r"\.{3}|[…⋯]|。{3}")
_WRAPPING = " \t\r\n\"'`*_~#-+>|.…·。、,，;；:：!！()（）[]［］【】{}<>「」『』«»“”‘’/\\=—–‥⋯"
_OPENERS = ("(", "[", "（", "［", "【", "<", "{", "//", "..", "…", "⋯")
_CLOSERS = (")", "]", "）", "］", "】", ">", "}", "..", "…", "⋯")
_LIST_MARK = re.compile(r"\s*(?:[-*+>]\s+|\d+[.)]\s+)*")
_SPACING = re.compile(r"[\s:：,—–]+")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")


def says_nothing(text: str) -> bool:
    """Whether the whole text is a placeholder, bare or wrapped in quotes, brackets or a heading."""
    if len(text) > 200:
        return False
    bare = _bare(text)
    return _IS_NOTHING.fullmatch(bare) is not None if bare else bool(text.strip())


def elided(text: str) -> bool:
    """Whether a line outside code fences says that text was left out here."""
    fence = ""
    for line in text.split("\n"):
        mark = _FENCE.match(line)
        if mark:
            if not fence:
                fence = mark[1]
            elif mark[1].startswith(fence):
                fence = ""
        elif not fence and len(line) <= 200 and _line_elides(line):
            return True
    return False


def _line_elides(line: str) -> bool:
    said = line[_LIST_MARK.match(line).end() :].strip()  # type: ignore[union-attr]
    bare = _bare(said)
    if not bare:
        return _ELLIPSIS.search(said) is not None
    if _IS_REST.fullmatch(bare):
        return True
    # "unchanged" alone can be honest content; in brackets or between dots it never is.
    plain = said.strip("*_ ")
    if plain.startswith(_OPENERS) and plain.endswith(_CLOSERS):
        return _IS_POINTER.fullmatch(bare) is not None
    return plain != said and _IS_UNCHANGED.fullmatch(bare) is not None


def _bare(text: str) -> str:
    return _SPACING.sub(" ", text.strip(_WRAPPING))
