"""Words that tell what a key or a noun names, in English, German, Spanish, French, Chinese and
Japanese: data for reading facts."""

from __future__ import annotations

from typing import Final


def _words(lines: str) -> frozenset[str]:
    return frozenset(lines.split())


def _titles(lines: str) -> frozenset[str]:
    return frozenset(lines.split("|"))


# What a person has one of: the words for it, as a key or after "my".
ATTRIBUTES: Final[dict[str, str]] = {
    word.strip(): name
    for name, words in {
        "name": "name|full name|my name|nombre|nombre completo|nom|nom complet|vollständiger name"
        "|名字|姓名|名前|氏名",
        "home": "home|city|home city|location|residence|lives in|place of residence|current city"
        "|city of residence|wohnort|stadt|ciudad|residencia|lugar de residencia|ville|domicile"
        "|lieu de résidence|居住地|所在地|住所|城市|住处|住んでいる場所",
        "employer": "employer|company|works at|works for|workplace|arbeitgeber|firma|empresa"
        "|empleador|employeur|entreprise|公司|雇主|单位|会社|勤務先",
        "role": "role|job|job title|occupation|profession|position|beruf|rolle|puesto|profesión"
        "|cargo|métier|poste|职业|职位|职务|職業|役職",
        "birthday": "birthday|date of birth|birth date|birthdate|born on|geburtstag|geburtsdatum"
        "|cumpleaños|fecha de nacimiento|anniversaire|date de naissance|生日|出生日期|誕生日"
        "|生年月日",
        "age": "age|alter|edad|âge|年龄|年齢",
        "email": "email|e-mail|mail|email address|e-mail-adresse|correo|correo electrónico|courriel"
        "|adresse e-mail|邮箱|电子邮箱|メール|メールアドレス",
        "phone": "phone|phone number|telephone|mobile|telefon|telefonnummer|handynummer|teléfono"
        "|téléphone|电话|手机号|電話番号",
        "time zone": "time zone|timezone|tz|zeitzone|zona horaria|huso horario|fuseau horaire|时区"
        "|タイムゾーン",
        "pronouns": "pronouns|pronomen|pronombres|pronoms|代词",
        "spouse": "wife|husband|spouse|partner|ehefrau|ehemann|esposa|esposo|marido|époux|épouse"
        "|妻子|丈夫|妻|夫",
        "native language": "native language|mother tongue|first language|muttersprache"
        "|lengua materna|langue maternelle|母语|母語",
    }.items()
    for word in words.split("|")
}

# A sentence "the X is Y" names the one value of X when X is called one of these.
ONE_VALUED: Final = _words(
    "name nickname surname codename code-name day date time deadline budget port version"
    " owner address url language color colour birthday age size height weight price cost fee"
    " rent salary limit timeout status phase license licence currency timezone zone email"
    " phone number role job title favorite favourite breed model interval frequency format"
    " indentation encoding default theme username pronouns diet threshold capacity"
    " temperature quota layout unit tongue spitzname tag datum uhrzeit frist abgabetermin"
    " termin preis kosten miete gehalt adresse sprache farbe lieblingsfarbe geburtstag alter"
    " größe gewicht lizenz währung zeitzone nummer beruf rolle projektname nombre apodo día"
    " fecha hora plazo presupuesto puerto versión dirección idioma cumpleaños edad tamaño"
    " altura peso precio coste costo alquiler salario licencia moneda zona correo teléfono"
    " número puesto límite favorito favorita nom surnom jour heure échéance délai langue"
    " couleur capitale anniversaire âge taille poids prix coût loyer salaire devise fuseau"
    " courriel téléphone numéro poste limite préféré préférée"
)
# Likewise, but these can be described, too: only a name or a figure is a value of theirs.
NAMED: Final = _words(
    "editor framework database server host hostname region location office headquarters boss"
    " manager lead leader ceo cto maintainer contact branch company room floor gate seat"
    " flight dentist doctor landlord supplier vendor provider shift domain shell browser os"
    " home city employer capital schedule datenbank hauptstadt chef chefin leiter leiterin"
    " besitzer ansprechpartner raum büro standort anbieter hafen zweig dueño base jefe jefa"
    " responsable rama empresa sala oficina sede proveedor propriétaire cheffe branche"
    " entreprise salle bureau siège fournisseur"
    " gp physician vet lawyer accountant therapist hairdresser barber school bank insurer"
    " arzt ärztin hausarzt hausärztin zahnarzt zahnärztin tierarzt vermieter vermieterin anwalt"
    " anwältin steuerberater friseur friseurin schule bank lieferant"
    " médico médica dentista casero casera abogado abogada contable veterinario peluquero escuela"
    " banco médecin dentiste avocat avocate comptable vétérinaire coiffeur école banque"
)
# Of these a plain word is a value; of others it only describes ("the deadline is tight").
WORD_VALUED: Final = _words(
    "color colour status theme role diet format phase currency indentation encoding license licence"
    " default mode title language layout breed pronouns tongue job farbe lieblingsfarbe beruf rolle"
    " sprache währung lizenz color idioma moneda licencia puesto favorito favorita couleur langue"
    " devise licence poste préféré préférée favorite favourite drink food"
)
_ONE_VALUED_CJK: Final = (
    "名字 名称 姓名 代号 日期 时间 截止日期 期限 预算 端口 版本 地址 网址"
    " 语言 颜色 生日 年龄 尺寸 身高 体重 价格 费用 房租 工资 上限"
    " 超时 状态 许可证 货币 时区 邮箱 电话 号码 职位 名前 氏名 日付"
    " 時間 締め切り 締切 期日 予算 ポート バージョン 住所 言語 色 誕生日"
    " 年齢 サイズ 身長 値段 価格 家賃 給料 状態"
    " ライセンス 通貨 タイムゾーン メール 電話番号 番号 役職"
)
_NAMED_CJK: Final = (
    "数据库 框架 编辑器 首都 主机 地点 办公室 总部 老板 经理 分支"
    " 公司 房间 会议室 供应商 负责人 医生 牙医 房东 律师 会计 兽医 学校 银行"
    " データベース ホスト 場所 本社 上司 部長"
    " ブランチ 会社 部屋 会議室"
    " 業者 エディタ 担当者 担当 医者 歯医者 大家 大家さん 弁護士 税理士 学校 銀行"
)
ONE_VALUED_CJK: Final = tuple(_ONE_VALUED_CJK.split())
NAMED_CJK: Final = tuple(_NAMED_CJK.split())

# Keys that hold one of many, or that only label what follows.
NOT_ONE: Final = _words(
    "like likes dislike dislikes love loves hate hates has have owns uses use tool tools skill"
    " skills language languages hobby hobbies interest interests note notes todo todos tip tips"
    " lesson lessons idea ideas link links reference references example examples remember"
    " important warning see allergy allergies family pet pets friend friends project projects"
    " decision decisions decided fact facts rule rules bug bugs fix update question answer task"
    " tasks reason context summary why how what when who where result results source sources"
    " tag tags comment comments event events log info hint member members people also prefers"
    " preference preferences feedback agreed learned done next problem problems issue issues"
    " vorliebe vorlieben hobbys notiz notizen entscheidung regel beispiel grund aufgabe hinweis"
    " werkzeuge sprachen sprache wichtig gusta gustos nota notas decisión regla ejemplo motivo"
    " tarea idiomas herramientas importante aime décision règle exemple raison tâche langues"
    " outils loisirs aficiones 喜欢 爱好 备注 注意 决定 规则 例子 原因 任务 技能 工具 语言"
    " 好き 趣味 メモ 注意 決定 ルール 例 理由 タスク スキル 言語"
)

# Headings that say nothing about what stands below them.
PLAIN_HEADINGS: Final = _titles(
    "memory|long-term memory|profile|facts|fact|recent lessons|lessons|from notes|notes|note"
    "|preferences|about me|about|user|user profile|basics|personal|general|identity|info"
    "|information|important|misc|other|decisions|key facts|learned|knowledge|context|people"
    "|contact|work|place|remembered|things to remember|stable facts|settings|setup|project"
    "|projects|team|our team|erinnerungen|gedächtnis|profil|fakten|notizen|vorlieben"
    "|über mich|allgemein|wichtig|memoria|perfil|hechos|notas|preferencias|sobre mí|general"
    "|mémoire|faits|préférences|à propos|général|记忆|记忆库|个人资料|事实|笔记|偏好|关于我"
    "|基本信息|重要|メモリー|記憶|プロフィール|事実|メモ|好み|自己紹介|基本情報|重要"
)
