"""A fourth set: what a veterinary practice and the people in it keep in mind, as notes are kept.

Written before it was ever scored. Notes with headings, bullets, dated entries and paragraphs, in
five languages that partly tell of the same things; each question asks for one line of them in other
words. A question is (text, a part of the line that answers).
"""

from __future__ import annotations

NOTES: dict[str, list[tuple[str, str]]] = {
    "en": [
        (
            "team.md",
            """# Team

- Dr Farah leads surgery, Dr Quint does everything with teeth.
- Receptionist Joyce is on maternity leave until the end of August.
- Kemal is our apprentice and goes to vocational school on Wednesdays.
- Holidays have to be entered in the green binder six weeks ahead.
- Whoever has the night shift gets the next afternoon off.
""",
        ),
        (
            "equipment.md",
            """# Equipment

## X-ray
The detector plate has a hairline crack in the lower left corner; shadows there are not fractures.

## Laboratory
- The centrifuge must be balanced before each run, it wandered off the table once.
- Blood samples keep four days in the small fridge.
- Ordering code for the haemoglobin strips: HB-2207.
""",
        ),
        (
            "suppliers.md",
            """# Suppliers

- Bandages and syringes come from Medivet, delivery free above 150 pounds.
- We stopped buying from Hollis because half the vials arrived broken.
- The gas bottles are swapped by a man called Terry on the first Monday.
- Kitten milk powder is only available through the wholesaler in Leeds.
""",
        ),
        (
            "money.md",
            """# Money

- Instalments are possible from 300 pounds on, over at most six months.
- The loan for the ultrasound ends in 2029.
- Pensioners and shelters get fifteen percent off.
- Reminders go out after three weeks, the collector after ten.
""",
        ),
        (
            "patients.md",
            """# Patients

- Biscuit (Labrador, Mr Adeyemi) bites when his ears are touched.
- Luna the Persian has chronic kidney failure, infusions twice a week.
- The parrot Captain plucks his feathers since his owner moved.
- Farmer Doyle's horses are only seen at the stable.
""",
        ),
        (
            "software.md",
            """# Software

- The appointment book was moved from paper to Vetera in 2024.
- Reports are encrypted; the passphrase is with the notary.
- Text messages the day before halved the number of missed visits.
- The scanner driver only works under Windows 10.
""",
        ),
        (
            "memory/2026-03-09.md",
            """# 2026-03-09

- 2026-03-09: Power was out from two to four, the vaccine fridge stayed below eight degrees.
- 2026-03-09: A woman brought a hedgehog in a shoe box; it went to the rescue station.
- 2026-03-09: Dr Farah wants to give up weekend duty from summer on.
""",
        ),
        (
            "memory/2026-04-14.md",
            """# 2026-04-14

- 2026-04-14: Decided to repaint the waiting room in a pale green.
- 2026-04-14: Inspector found expired eye drops in cupboard three.
- 2026-04-14: The neighbour lets us use his yard for the delivery vans.
""",
        ),
        (
            "PROFILE.md",
            """# Me

I run the practice with my wife and am fifty-three. I get migraines from fluorescent tubes.
My handwriting is awful, so everything is dictated.

- Call me Gus, never Doctor.
- I fish on the Wharfe whenever I can.
- My knees no longer allow kneeling beside large dogs.
""",
        ),
    ],
    "de": [
        (
            "team.md",
            """# Team

- Frau Dr. Aydin operiert, Herr Dr. Behrens macht alles rund um die Zähne.
- Unsere Empfangskraft Silke ist bis Ende August in Elternzeit.
- Kilian ist Auszubildender und mittwochs in der Berufsschule.
- Urlaub muss sechs Wochen vorher in den grünen Ordner eingetragen werden.
- Wer Nachtdienst hatte, hat am nächsten Nachmittag frei.
""",
        ),
        (
            "geraete.md",
            """# Geräte

## Röntgen
Die Detektorplatte hat unten links einen Haarriss; Schatten dort sind keine Brüche.

## Labor
- Die Zentrifuge muss vor jedem Lauf ausgewuchtet werden.
- Blutproben halten sich im kleinen Kühlschrank vier Tage.
- Das Mikroskop wurde von der Uni ausgemustert und ist ein Geschenk.
""",
        ),
        (
            "lieferanten.md",
            """# Lieferanten

- Verbandsmaterial und Spritzen liefert Henning, ab 150 Euro ohne Versandkosten.
- Bei Vogt kaufen wir nicht mehr, weil die Hälfte der Ampullen zerbrochen ankam.
- Die Gasflaschen tauscht ein gewisser Ralf am ersten Montag im Monat.
- Welpenmilch gibt es nur beim Großhandel in Kassel.
""",
        ),
        (
            "geld.md",
            """# Geld

- Ratenzahlung ist ab 300 Euro möglich, höchstens über ein halbes Jahr.
- Der Kredit für das Ultraschallgerät läuft noch bis 2029.
- Rentner und Tierheime bekommen fünfzehn Prozent Nachlass.
- Nach drei Wochen geht die erste Mahnung raus, nach zehn das Inkasso.
""",
        ),
        (
            "patienten.md",
            """# Patienten

- Keks (Labrador von Herrn Sommer) schnappt zu, sobald man seine Ohren anfasst.
- Die Perserkatze Luna ist nierenkrank und bekommt zweimal pro Woche Infusionen.
- Der Papagei Käpt'n rupft sich, seit sein Besitzer umgezogen ist.
- Die Pferde von Bauer Thiele werden nur im Stall behandelt.
""",
        ),
        (
            "software.md",
            """# Software

- Der Terminkalender wurde 2024 vom Papier auf Vetera umgestellt.
- Die Befunde sind verschlüsselt; das Kennwort liegt beim Notar.
- Seit der SMS am Vortag erscheinen doppelt so viele Leute zum Termin.
- Der Scanner läuft nur unter Windows 10.
""",
        ),
        (
            "memory/2026-03-09.md",
            """# 2026-03-09

- 2026-03-09: Von zwei bis vier war Stromausfall, die Impfstoffe blieben unter acht Grad.
- 2026-03-09: Eine Frau brachte einen Igel im Schuhkarton, er kam zur Auffangstation.
- 2026-03-09: Dr. Aydin möchte ab Sommer keine Wochenenddienste mehr machen.
""",
        ),
        (
            "memory/2026-04-14.md",
            """# 2026-04-14

- 2026-04-14: Das Wartezimmer streichen wir in einem hellen Grün.
- 2026-04-14: Der Amtstierarzt fand abgelaufene Augentropfen in Schrank drei.
- 2026-04-14: Der Nachbar lässt die Lieferwagen auf seinem Hof wenden.
""",
        ),
        (
            "PROFILE.md",
            """# Über mich

Ich führe die Praxis mit meiner Frau und bin dreiundfünfzig. Von Neonröhren bekomme ich Migräne.
Meine Schrift kann niemand lesen, deshalb diktiere ich alles.

- Bitte mit Gustl anreden, nie mit Herr Doktor.
- Ich angle an der Wümme, sooft es geht.
- Hinknien kann ich mich wegen der Knie nicht mehr.
""",
        ),
    ],
    "es": [
        (
            "equipo.md",
            """# Equipo

- La doctora Nadal opera y el doctor Prieto se ocupa de las dentaduras.
- Nuestra recepcionista Lourdes está de baja maternal hasta finales de agosto.
- Iván es aprendiz y los miércoles va a la escuela de formación.
- Las vacaciones se apuntan en la carpeta verde con seis semanas de antelación.
- Quien hace la guardia nocturna libra la tarde siguiente.
""",
        ),
        (
            "aparatos.md",
            """# Aparatos

## Rayos X
La placa del detector tiene una grieta abajo a la izquierda; las sombras de ahí no son fracturas.

## Laboratorio
- La centrifugadora hay que equilibrarla antes de cada uso.
- Las muestras de sangre aguantan cuatro días en la nevera pequeña.
- El microscopio nos lo regaló la universidad.
""",
        ),
        (
            "proveedores.md",
            """# Proveedores

- Las vendas y jeringuillas las trae Medivet, sin gastos de envío desde 150 euros.
- Dejamos de comprar a Solano porque la mitad de las ampollas llegaban rotas.
- Un tal Paco cambia las bombonas de gas el primer lunes de mes.
- La leche para cachorros solo la vende el mayorista de Zaragoza.
""",
        ),
        (
            "dinero.md",
            """# Dinero

- Se puede pagar a plazos a partir de 300 euros, en medio año como mucho.
- El préstamo del ecógrafo termina en 2029.
- A jubilados y protectoras les descontamos un quince por ciento.
- El primer aviso de impago sale a las tres semanas.
""",
        ),
        (
            "pacientes.md",
            """# Pacientes

- Galleta (el labrador del señor Molina) muerde si le tocan las orejas.
- La gata persa Luna padece de los riñones y recibe suero dos veces por semana.
- El loro Capitán se arranca las plumas desde que su dueño se mudó.
- Los caballos de la finca Ordóñez solo se atienden en la cuadra.
""",
        ),
        (
            "programas.md",
            """# Programas

- La agenda de citas pasó del papel a Vetera en 2024.
- Los informes están cifrados; la clave la guarda el notario.
- Con el mensaje de la víspera falta la mitad de gente a sus citas.
- El escáner solo funciona con Windows 10.
""",
        ),
        (
            "memory/2026-03-09.md",
            """# 2026-03-09

- 2026-03-09: Se fue la luz de dos a cuatro y las vacunas no pasaron de ocho grados.
- 2026-03-09: Una señora trajo un erizo en una caja de zapatos; fue al centro de rescate.
- 2026-03-09: La doctora Nadal quiere dejar los turnos de fin de semana en verano.
""",
        ),
        (
            "memory/2026-04-14.md",
            """# 2026-04-14

- 2026-04-14: Pintaremos la sala de espera de un verde claro.
- 2026-04-14: El inspector encontró colirios caducados en el armario tres.
- 2026-04-14: El vecino deja que las furgonetas de reparto usen su patio.
""",
        ),
        (
            "PROFILE.md",
            """# Sobre mí

Llevo la clínica con mi mujer y tengo cincuenta y tres años. Los tubos fluorescentes me dan migraña.
Nadie entiende mi letra, así que lo dicto todo.

- Llámame Gus, nunca doctor.
- Pesco en el Jalón siempre que puedo.
- Las rodillas ya no me dejan agacharme junto a los perros grandes.
""",
        ),
    ],
    "zh": [
        (
            "团队.md",
            """# 团队

- 方医生主刀,秦医生专门看牙。
- 前台小乔休产假,八月底才回来。
- 学徒小康每周三去职校上课。
- 请假要提前六周写进绿色文件夹。
- 值夜班的人第二天下午休息。
""",
        ),
        (
            "设备.md",
            """# 设备

## X光
探测板左下角有一道细裂纹,那里的阴影不是骨折。

## 化验室
- 离心机每次开动前都要配平。
- 血样在小冰箱里能放四天。
- 显微镜是大学淘汰下来送给我们的。
""",
        ),
        (
            "供应商.md",
            """# 供应商

- 绷带和针筒由康宠送来,满一千元免运费。
- 不再从霍氏进货,因为药瓶有一半碎了。
- 每月第一个星期一老田来换气瓶。
- 幼猫奶粉只有南京的批发商才有。
""",
        ),
        (
            "钱.md",
            """# 钱

- 满两千元可以分期,最多半年。
- 超声仪的贷款到2029年结束。
- 退休老人和收容所打八五折。
- 欠款三周后发催款信,十周后交给律师。
""",
        ),
        (
            "病号.md",
            """# 病号

- 饼干(林先生的拉布拉多)一碰耳朵就咬人。
- 波斯猫露娜肾不好,每周输两次液。
- 鹦鹉船长自从主人搬家后一直拔自己的毛。
- 董家的马只在马厩里看病。
""",
        ),
        (
            "软件.md",
            """# 软件

- 预约本2024年从纸质换成了维特拉系统。
- 病历是加密的,口令存在公证处。
- 前一天发短信以后,爽约的人少了一半。
- 扫描仪只能在 Windows 10 上用。
""",
        ),
        (
            "memory/2026-03-09.md",
            """# 2026-03-09

- 2026-03-09: 下午两点到四点停电,疫苗冰箱没有超过八度。
- 2026-03-09: 有位女士用鞋盒带来一只刺猬,已转到救助站。
- 2026-03-09: 方医生从夏天起不想再上周末班。
""",
        ),
        (
            "memory/2026-04-14.md",
            """# 2026-04-14

- 2026-04-14: 决定把候诊室刷成浅绿色。
- 2026-04-14: 检查员在三号柜发现了过期的眼药水。
- 2026-04-14: 邻居同意送货车停在他家院子里。
""",
        ),
        (
            "PROFILE.md",
            """# 关于我

我和妻子一起开诊所,今年五十三岁。日光灯会让我偏头痛。我的字没人看得懂,所以都用口述。

- 叫我老顾就行,别叫医生。
- 有空就去河边钓鱼。
- 膝盖不行了,不能蹲在大狗旁边。
""",
        ),
    ],
    "ja": [
        (
            "スタッフ.md",
            """# スタッフ

- 手術は藤井先生、歯のことは黒田先生が受け持つ。
- 受付の美穂さんは八月末まで産休。
- 見習いの健太は水曜に専門学校へ行く。
- 休暇は六週間前までに緑のファイルに書く。
- 夜勤明けの人は翌日の午後が休み。
""",
        ),
        (
            "機器.md",
            """# 機器

## レントゲン
検出板の左下に細いひびがあり、そこに写る影は骨折ではない。

## 検査室
- 遠心機は回す前に必ず釣り合いを取る。
- 血液は小さい冷蔵庫で四日もつ。
- 顕微鏡は大学から譲ってもらった。
""",
        ),
        (
            "仕入れ.md",
            """# 仕入れ

- 包帯と注射器はメディベットから届き、一万円以上は送料無料。
- 瓶の半分が割れていたので、堀商店から買うのはやめた。
- ガスボンベは毎月第一月曜に田村さんが交換する。
- 子猫用の粉ミルクは名古屋の問屋にしかない。
""",
        ),
        (
            "お金.md",
            """# お金

- 三万円から分割払いができ、長くて半年。
- 超音波装置のローンは2029年に終わる。
- 年金生活者と保護団体は一割五分引き。
- 未払いは三週間で督促状を送る。
""",
        ),
        (
            "患者.md",
            """# 患者

- ビスケット(林さんのラブラドール)は耳を触ると噛む。
- ペルシャ猫のルナは腎臓が悪く、週に二回点滴をする。
- オウムの船長は飼い主が引っ越してから羽を抜く。
- 土井牧場の馬は厩舎でしか診ない。
""",
        ),
        (
            "ソフト.md",
            """# ソフト

- 予約帳は2024年に紙からベテラに変えた。
- カルテは暗号化してあり、合言葉は公証人が持っている。
- 前日に携帯へ知らせるようにしたら、すっぽかす人が半分になった。
- スキャナーは Windows 10 でしか動かない。
""",
        ),
        (
            "memory/2026-03-09.md",
            """# 2026-03-09

- 2026-03-09: 二時から四時まで停電したが、ワクチンは八度以下のままだった。
- 2026-03-09: 靴の箱に入れたハリネズミを女性が連れてきて、保護施設に渡した。
- 2026-03-09: 藤井先生は夏から週末の当番をやめたいそうだ。
""",
        ),
        (
            "memory/2026-04-14.md",
            """# 2026-04-14

- 2026-04-14: 待合室の壁を薄い緑に塗り替えることにした。
- 2026-04-14: 検査官が三番の棚で期限切れの目薬を見つけた。
- 2026-04-14: 配達の車は隣の家の庭に停めてよいことになった。
""",
        ),
        (
            "PROFILE.md",
            """# 自分のこと

妻と一緒に病院をやっていて、五十三歳。蛍光灯で片頭痛になる。字が汚いので、何でも口述する。

- 先生ではなく、ゴンさんと呼んでほしい。
- 暇さえあれば川で釣りをする。
- 膝が悪く、大きな犬のそばにしゃがめない。
""",
        ),
    ],
}

QUESTIONS: dict[str, list[tuple[str, str]]] = {
    "en": [
        ("Who takes care of dental work?", "Dr Quint"),
        ("When does the lady from the front desk come back to work?", "Joyce"),
        ("On which day is the trainee absent?", "Kemal"),
        ("How do I request time off?", "green binder"),
        ("Why should I be careful reading the radiographs?", "hairline crack"),
        ("How long can we store what we drew from a vein?", "Blood samples"),
        ("Where do dressings and needles come from?", "Medivet"),
        ("Why did we change away from one of our vendors?", "Hollis"),
        ("Who replaces the cylinders?", "Terry"),
        ("Can a client pay a big bill bit by bit?", "Instalments"),
        ("When will the imaging device be paid off?", "ultrasound ends"),
        ("Who is entitled to a discount?", "Pensioners"),
        ("Which dog is dangerous to examine at the head?", "Biscuit"),
        ("Which cat regularly needs a drip?", "Luna"),
        ("Which bird harms itself?", "Captain"),
        ("Which animals do we visit instead of having them come to us?", "Doyle"),
        ("What do we schedule consultations with?", "Vetera"),
        ("Who could decrypt our findings if I died?", "notary"),
        ("What helped against people not showing up?", "Text messages"),
        ("Did the blackout spoil any medicine?", "Power was out"),
        ("Which wild animal was handed in?", "hedgehog"),
        ("Who would rather not work on Saturdays and Sundays any more?", "weekend duty"),
        ("What colour are the walls going to be?", "repaint"),
        ("What did the authority object to?", "Inspector"),
        ("What triggers my headaches?", "migraines"),
        ("What is my hobby by the river?", "fish on"),
        ("How would I like to be addressed?", "Call me Gus"),
    ],
    "de": [
        ("Wer behandelt kranke Gebisse?", "Dr. Behrens"),
        ("Wann ist die Dame von der Anmeldung wieder da?", "Silke"),
        ("An welchem Wochentag fehlt der Lehrling?", "Kilian"),
        ("Wie beantrage ich freie Tage?", "grünen Ordner"),
        ("Worauf muss man bei den Aufnahmen der Knochen achten?", "Haarriss"),
        ("Wie lange kann man abgenommenes Blut aufheben?", "Blutproben"),
        ("Woher beziehen wir Binden und Nadeln?", "Henning"),
        ("Warum haben wir einem Händler gekündigt?", "Vogt"),
        ("Wer bringt die vollen Flaschen für die Narkose?", "Ralf"),
        ("Kann ein Kunde eine hohe Rechnung nach und nach begleichen?", "Ratenzahlung"),
        ("Bis wann zahlen wir das bildgebende Gerät ab?", "Ultraschallgerät"),
        ("Wem gewähren wir Rabatt?", "Rentner"),
        ("Welcher Hund ist am Kopf empfindlich und beißt?", "Keks"),
        ("Welches Tier kommt regelmäßig an den Tropf?", "Luna"),
        ("Welcher Vogel verletzt sich selbst?", "Käpt'n"),
        ("Zu welchen Patienten müssen wir hinausfahren?", "Thiele"),
        ("Womit planen wir die Sprechstunden?", "Vetera"),
        ("Wo ist der Schlüssel zu den Diagnosen hinterlegt?", "Notar"),
        ("Was half gegen versäumte Besuche?", "SMS am Vortag"),
        ("Sind durch den fehlenden Strom Medikamente verdorben?", "Stromausfall"),
        ("Welches Wildtier wurde abgegeben?", "Igel"),
        ("Wer will samstags und sonntags nicht mehr arbeiten?", "Wochenenddienste"),
        ("Welche Farbe kommt an die Wände?", "streichen"),
        ("Was hat die Behörde beanstandet?", "Amtstierarzt"),
        ("Wovon bekomme ich Kopfschmerzen?", "Migräne"),
        ("Was mache ich in meiner Freizeit am Fluss?", "angle"),
        ("Wie möchte ich genannt werden?", "Gustl"),
    ],
    "es": [
        ("¿Quién arregla los dientes de los animales?", "Prieto"),
        ("¿Cuándo vuelve la chica del mostrador?", "Lourdes"),
        ("¿Qué día falta el chico en prácticas?", "Iván"),
        ("¿Cómo solicito días libres?", "carpeta verde"),
        ("¿Por qué hay que fijarse bien al leer una radiografía?", "grieta"),
        ("¿Cuánto tiempo se puede conservar lo que extraemos de la vena?", "muestras de sangre"),
        ("¿Quién nos suministra gasas y agujas?", "Medivet"),
        ("¿Por qué cambiamos de vendedor?", "Solano"),
        ("¿Quién repone los cilindros?", "Paco"),
        ("¿Puede un cliente abonar una factura alta poco a poco?", "a plazos"),
        ("¿Cuándo acabamos de pagar la máquina de imagen?", "ecógrafo"),
        ("¿Quiénes tienen derecho a una rebaja?", "jubilados"),
        ("¿Qué perro se pone agresivo cuando le examinan la cabeza?", "Galleta"),
        ("¿Qué felino necesita un gotero a menudo?", "Luna"),
        ("¿Qué pájaro se hace daño a sí mismo?", "Capitán"),
        ("¿A qué animales hay que ir a visitar?", "Ordóñez"),
        ("¿Con qué organizamos las consultas?", "Vetera"),
        ("¿Dónde está depositada la contraseña de los diagnósticos?", "notario"),
        ("¿Qué ayudó contra los que no se presentan?", "víspera"),
        ("¿Se estropearon medicinas con el apagón?", "Se fue la luz"),
        ("¿Qué animal silvestre nos entregaron?", "erizo"),
        ("¿Quién no desea trabajar más los sábados y domingos?", "fin de semana"),
        ("¿De qué color van a quedar las paredes?", "Pintaremos"),
        ("¿Qué nos reprochó la autoridad sanitaria?", "inspector"),
        ("¿Qué me provoca dolor de cabeza?", "migraña"),
        ("¿Qué afición tengo junto al río?", "Pesco"),
        ("¿Cómo quiero que se dirijan a mí?", "Llámame"),
    ],
    "zh": [
        ("动物的牙齿问题找谁?", "秦医生"),
        ("接待的姑娘什么时候恢复上班?", "小乔"),
        ("实习生哪天不在?", "小康"),
        ("想休假该怎么申请?", "绿色文件夹"),
        ("看片子的时候要注意什么?", "细裂纹"),
        ("抽出来的血可以保存多久?", "血样"),
        ("纱布和注射器从哪里买?", "康宠"),
        ("为什么换掉了一家供货的?", "霍氏"),
        ("谁负责更换钢瓶?", "老田"),
        ("账单太高,顾客能慢慢付吗?", "分期"),
        ("那台影像机器哪年还清?", "超声仪"),
        ("哪些人可以享受优惠?", "退休老人"),
        ("检查头部时哪条狗很危险?", "饼干"),
        ("哪只猫要定期打点滴?", "露娜"),
        ("哪只鸟会伤害自己?", "鹦鹉"),
        ("哪些动物需要我们上门出诊?", "董家"),
        ("我们用什么安排看诊时间?", "维特拉"),
        ("诊断记录的密码由谁保管?", "公证处"),
        ("什么办法让更多人按时前来?", "发短信"),
        ("断电有没有让药品变质?", "停电"),
        ("有人送来了什么野生动物?", "刺猬"),
        ("谁不愿意星期六星期天工作了?", "周末班"),
        ("墙要变成什么颜色?", "浅绿色"),
        ("官方查出了什么问题?", "检查员"),
        ("什么东西会引起我头疼?", "日光灯"),
        ("我在河边有什么爱好?", "钓鱼"),
        ("别人应该怎么称呼我?", "老顾"),
    ],
    "ja": [
        ("動物の虫歯は誰が治しますか?", "黒田先生"),
        ("窓口の女性はいつ仕事に戻りますか?", "美穂"),
        ("研修中の若者がいないのは何曜日?", "健太"),
        ("休みを取りたいときはどうする?", "緑のファイル"),
        ("骨の写真を見るとき気をつけることは?", "細いひび"),
        ("採った血はどのくらい保存できますか?", "血液は"),
        ("ガーゼや針はどこから買っていますか?", "メディベット"),
        ("取引先を一つ変えた理由は?", "堀商店"),
        ("容器を取り替えに来るのは誰?", "田村"),
        ("高い治療費を少しずつ払えますか?", "分割払い"),
        ("画像の機械の支払いは何年に済みますか?", "超音波装置"),
        ("値引きしてもらえるのはどんな人?", "年金生活者"),
        ("頭を調べると危ない犬はどれ?", "ビスケット"),
        ("定期的に輸液が要る猫は?", "ルナ"),
        ("自分を傷つける鳥はどれですか?", "オウム"),
        ("こちらから出向いて診察する動物は?", "土井牧場"),
        ("診察の日時は何で管理していますか?", "ベテラ"),
        ("診断記録のパスワードは誰に預けてある?", "公証人"),
        ("来ない客を減らすのに役立ったことは?", "すっぽかす"),
        ("電気が切れて薬は駄目になりましたか?", "停電"),
        ("持ち込まれた野生の生き物は何?", "ハリネズミ"),
        ("土日に働きたくないと言っているのは誰?", "週末の当番"),
        ("部屋の色はどう変わりますか?", "薄い緑"),
        ("役所から注意されたことは?", "検査官"),
        ("頭が痛くなる原因は何ですか?", "蛍光灯"),
        ("水辺での趣味は何ですか?", "釣りをする"),
        ("私を何と呼べばいいですか?", "ゴンさん"),
    ],
}
