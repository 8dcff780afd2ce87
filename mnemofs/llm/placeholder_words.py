"""The vocabulary of `placeholders`: patterns for phrases in lower case, each for a whole phrase.

English first, then Chinese, Japanese, Korean and European languages.
"""

from __future__ import annotations

_NOUN = (
    r"(?:(?:memory|profile)(?:\.md)?(?: (?:files?|contents?|text|sections?))?"
    r"|files?|documents?|contents?|text|sections?|entries|entry|notes?|items?"
    r"|lines?|parts?|bullets?|information|data)"
)
_STATE = (
    r"(?:unchanged|the same|as is|as it is|as before|as above|omitted(?: for brevity)?|untouched"
    r"|unmodified|identical|intact|not shown|here|the same as before|unaltered|preserved|retained"
    r"|as in (?:the )?(?:original|existing|current|previous)(?: (?:file|version|document|text))?)"
)
_BE = r"(?: (?:is|are|stays?|remains?|kept|left|goes|go|continues?|continue|to remain|will stay))?"

# What a phrase of no change speaks of, at its end: "no updates to the profile".
TARGET = (
    r"(?: (?:to|in|for|of|an|in|im|an der|en|del?|al?|au|dans|du|à)"
    r" (?:(?:the|this|your|my|der|dem|den|el|la|le|cette?|este|esta) |l')?"
    r"(?:memory|profile|user|perfil|memoria|mémoire|gedächtnis|profil|datei|archivo|fichier|file"
    r"|section|document|notes?)(?:\.md)?)"
)

# "It is as it was": a whole field that says so, or a bracketed line of a document.
UNCHANGED = "|".join(
    (
        r"unchanged|un-changed|not changed|unmodified|untouched|unaltered|preserved|retained",
        r"no (?:(?:further|new|significant|other|additional|major) )?"
        r"(?:changes?|updates?|edits?|modifications?)"
        r"(?: (?:is |are )?(?:needed|required|necessary|made|below|above|here|warranted))?"
        r"(?: (?:today|now|yet|at (?:this|the) (?:time|moment)))?",
        r"(?:none|not|nothing) (?:needed|required|necessary|applicable)",
        r"nothing to (?:change|update)",
        rf"unchanged {_NOUN}|(?:the |this |your )?{_NOUN}{_BE} {_STATE}",
        rf"keep (?:the )?(?:existing|current|original|same) {_NOUN}(?: {_STATE})?",
        rf"(?:content|text|{_NOUN}) (?:unchanged|omitted|here)|omitted(?: for brevity)?",
        r"same(?: content)? as (?:before|above|existing|previous(?:ly)?)",
        r"as before|as above|as[- ]is",
        rf"same as (?:the )?(?:input|original|current|existing|previous)(?: {_NOUN})?",
        r"(?:keep|kept|stays?|remains?)(?: (?:as is|as it is|the same|unchanged))",
        r"(?:本次|暂时|目前|此次)?(?:无|無|没有|沒有|暂无|暫無|无需|無需|不需要?|不用|不必|未)"
        r"(?:任何|做|作|进行)?(?:变化|變化|变更|變更|变动|變動|更新|修改|改动|改動|调整|調整|更改)",
        r"(?:保持|维持|維持|保留|沿用)?(?:(?:现有|現有|原有|原来的?|之前的?|已有|原|本)?"
        r"(?:内容|內容|文件|文本|文|记忆|記憶|档案|条目|條目|部分|信息)|原有|现有)?(?:均|都|全部)?"
        r"(?:保持|维持|維持)?(?:不变|不變|原样|原樣|未变|未變|未改)",
        r"(?:保持|保留|维持|維持|沿用)(?:原有|现有|現有|原来|已有|原)的?(?:内容|條目|条目|部分|信息)?",
        r"同上|同前|同原文|(?:现有|現有|原有|原)(?:的)?(?:内容|內容|条目)(?:保留|同上)?|内容同上|略|省略|已省略",
        r"(?:与|和|跟|同)(?:原|之前|以前|上面|上文|原来|现有)的?(?:文件|文|内容|版本)?(?:相同|一样|一致)",
        r"(?:変更|更新|変化|修正|追記|追加)(?:点|事項|箇所)?(?:は|の|する)?"
        r"(?:なし|無し|ありません|ございません|不要|必要(?:は)?(?:なし|ありません|ない|ございません))",
        r"既存の?(?:内容|項目|記述|エントリ|セクション)(?:は|を)?(?:そのまま|維持|保持)?|以前と同じ|前と同じ|前回と同じ|同じ|そのまま|現状維持",
        r"변경 ?없음|변경 ?사항 ?없음|변화 ?없음|변동 ?없음|동일|이전과 동일|그대로|생략",
        r"unverändert|keine? (?:änderung(?:en)?|aktualisierung(?:en)?|neuerung(?:en)?|updates?)"
        r"(?: nötig| erforderlich| notwendig)?",
        r"nichts zu (?:ändern|aktualisieren)|bestehender inhalt",
        r"(?:gleich )?wie (?:zuvor|vorher|bisher|oben|gehabt)|bleibt(?: gleich| unverändert)?",
        r"siehe oben|véase arriba|voir ci-dessus",
        r"sin (?:cambios?|modificaci(?:ón|ones)|actualizaci(?:ón|ones))|ningún cambio",
        r"ningun[oa] (?:actualización|modificación)(?: (?:necesaria|requerida))?",
        r"contenido existente",
        r"no hay cambios|(?:lo mismo|igual) que (?:antes|arriba)|no cambia",
        r"inchangée?s?|aucun changement(?: nécessaire)?|contenu existant",
        r"aucune (?:modification|mise à jour)(?: (?:nécessaire|requise))?",
        r"sans (?:changement|modification)|pas de (?:changement|modification|mise à jour)s?",
        r"rien à changer|identique(?: à avant)?|comme (?:avant|ci-dessus|précédemment)",
        r"sem (?:alteraç(?:ão|ões)|mudanças?)|inalterado|nenhuma (?:alteração|mudança)",
        r"nessuna (?:modifica|variazione)|nessun cambiamento|invariato|come prima",
        r"без изменений|нет изменений|изменений нет|не требуется|не изменилось",
        r"то же самое|как раньше",
        r"geen wijzigingen|ongewijzigd|bez zmian|değişiklik yok",
        r"(?:لا|بدون|دون|لا يوجد) (?:أي )?(?:تغيير|تغييرات|تعديل|تحديث)",
        r"कोई (?:बदलाव|परिवर्तन) नह\S*|अपरिवर्तित",
    )
)

# "See what was here": a whole field, or a line in real brackets (bold it may be a heading).
POINTER = "|".join(
    (
        rf"(?:keep |keeping |insert )?(?:the |all )?(?:existing|previous|current|original) {_NOUN}",
        rf"(?:keep |insert |include )?(?:the )?(?:rest|remainder)(?: of (?:the )?{_NOUN})?",
        r"(?:and )?\d+ (?:more|other|others)(?: \w+)?|existing code",
    )
)

# The same with nouns of its own; in brackets around the whole line only.
ASIDE = "|".join(
    (
        rf"(?:(?:keep|keeping|insert|include|and|all|the) ){{0,3}}(?:existing|previous|prior"
        rf"|original|remaining|other)(?: \w+){{0,4}}?(?: {_STATE})?",
        r"snip|truncated|abridged|continued|cut|existing|rest|(?:あれば|ここに)?既存の内容",
        r"resto del? \w+|(?:autres|otras|altre|andere|weitere) \w+(?: \w+)?",
    )
)

_WORTHY = "(?:new|further|significant|notable|noteworthy|important|durable|relevant)"

# "I have nothing to write here": only as a whole field; a document may say "(none)" of a topic.
NOTHING = "|".join(
    (
        r"none|null|nil|n/a|na|tbd|todo|empty|blank|skip|ditto|same|undefined|placeholder|false",
        rf"(?:no|nothing)(?: {_WORTHY})* (?:information|facts?|content|entries|events?|details?)",
        rf"nothing(?: {_WORTHY})*"
        r"(?: to (?:add|change|update|record|save|remember|report|note))?(?: today| yet)?",
        r"see (?:above|before)|string(?: or null)?|(?:text|string|content) (?:or )?null",
        r"(?:the )?(?:full|complete|entire|whole|new|updated|your)"
        r"(?: (?:new|updated|text of|full))*"
        rf"(?: the)? {_NOUN}(?: here| content| or null)*",
        r"(?:今日|今天|本次|暂|暫)?(?:无|無|没有|沒有|未)(?:任何|其他|发现)?"
        r"(?:新的?|新增|重要|值得(?:记录|记住|保存))?的?"
        r"(?:信息|資訊|内容|內容|事项|事項|事实|记录|条目)?",
        r"(?:新しい|新規の?|特筆(?:すべき)?|記録すべき)?(?:情報|内容|事項|こと)?は?(?:なし|無し|ありません)",
        r"空|特になし|없음",
        r"keine?|nichts(?: neues)?|entfällt|leer|ninguno|ninguna|nada(?: nuevo)?|vacío",
        r"aucune?|rien(?: de nouveau)?|vide|idem|nulla|niente|нет|ничего",
    )
)

# "The rest was here": refused on any line of its own, bare or bracketed.
REST = "|".join(
    (
        rf"(?:the )?(?:rest|remainder) of (?:(?:the|this|your|my) )?"
        rf"(?:(?:previous|existing|original|current) )?{_NOUN}{_BE}(?: {_STATE})?",
        rf"(?:the )?(?:rest|remainder|everything else|all else){_BE} {_STATE}",
        rf"(?:all )?(?:the )?(?:other|existing|previous|prior|earlier|original|remaining|above)"
        rf"(?: \d+)? {_NOUN}{_BE} {_STATE}",
        rf"(?:insert|include) (?:the )?(?:existing|previous|original|rest of the) {_NOUN}",
        r"(?:content|text|sections?|lines?) omitted(?: for brevity)?",
        rf"(?:all )?(?:the )?other {_NOUN} (?:remain|remains|stay|stays)",
        r"no (?:changes?|updates?) (?:in|to) this section|and so on|etc",
        r"(?:其余|其餘|其它|其他|剩余|剩餘|余下|后面|後面|以下|以上|原有|现有|之前)的?"
        r"(?:内容|內容|部分|章节|条目|文件|信息|文本)?(?:均|都|全部)?(?:保持|维持)?"
        r"(?:不变|不變|省略|同上|略|原样|相同|未变|保留|同前)",
        r"(?:此处|中间)?(?:内容)?(?:已)?省略",
        r"(?:以下|以降|残り|その他|他|ほか)の?(?:内容|部分|項目|セクション)?[はも]? ?"
        r"(?:同じ|変更なし|変更無し|省略|同様|そのまま|略)|前略|中略|後略",
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
