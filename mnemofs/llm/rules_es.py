"""Spanish for the rules engine."""

from __future__ import annotations

from mnemofs.llm.rules_grammar import Grammar, any_of

_RELATIVE = (
    r"(?:mujer|esposa|marido|esposo|pareja|novi[oa]|prometid[oa]|madre|mamá|padre|papá|padres|herman[oa]s?|hij[oa]s?|niñ[oa]s?|bebé|gemel[oa]s|mellizos|abuel[oa]s?|tí[oa]s?|prim[oa]s?|sobrin[oa]s?|suegr[oa]s?|perr[oa]s?|gat[oa]s?"
    r"|mascota|caballo|compañer[oa](?: de piso)?|vecin[oa]|jef[ea]|médic[oa]|caser[oa])"
)
_OWN = (
    r"(?:nombre|apellido|apodo|cumpleaños|fecha de nacimiento|zona horaria|huso horario|correo|e-?mail|dirección|teléfono|empresa|equipo|trabajo|puesto|profesión|ciudad|lengua materna|idioma|pronombres|altura|peso|talla|grupo sanguíneo|dieta|religión"
    r"|editor|portátil|ordenador|computadora|móvil|coche|bici|teclado|sistema operativo|navegador|usuario|oficina|piso|casa|universidad|escuela|afición|aficiones|especialidad|objetivo|alergia|alergias)"
)
_VAGUE = (
    r"(?!(?:es[oae]s?|est[oae]s?|aquell?[oa]s?|lo que|tu|tus|su respuesta|la (?:primera|segunda|tercera|última|idea|respuesta|versión)|el (?:primero|segundo|tercero|último|azul|rojo|resultado)|más la|más el|saber|ver|un ejemplo|una tabla|cómo|cuando|que|ese|eso)\b)"
)
_OFTEN = r"(?:siempre|nunca|jamás|normalmente|generalmente|habitualmente|casi siempre|casi nunca|suelo|a menudo|solo|sólo)"
_IMPERATIVE = (
    r"(?:usa|use|utiliza|utilice|escribe|escriba|responde|responda|contesta|conteste|habla|hable|llama|llame|da|dame|deme|muestra|muéstrame|explica|explícame|pregunta|pregúntame|comprueba|revisa|incluye|añade|añada|agrega|pon|ponga|mantén|empieza|termina"
    r"|evita|evite|di|dime|cita|traduce|redondea|formatea|haz|haga|deja|trátame|tutéame|recomienda|menciona|reserva|prefiere|recuérdame)"
)
_SUBJUNCTIVE = r"(?:uses?|utilices?|escribas?|respondas?|contestes?|hables?|llames?|me llames|me tutees|tutees|me trates|des|me des|muestres|expliques|preguntes|incluyas|añadas|agregues|pongas|empieces|termines|digas|cites|traduzcas|hagas|te disculpes|recomiendes|menciones|borres|cambies|toques)"
_DAY = (
    r"(?:hoy|mañana|pasado mañana|lunes|martes|miércoles|jueves|viernes|sábado|domingo|fin de (?:mes|semana|año)|la semana que viene|el mes que viene|próxim[oa] \w+|mediodía|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre"
    r"|diciembre|el \d{1,2}|\d{1,2}/\d{1,2}|\d{4}-\d\d-\d\d|a las \w+)"
)

# What someone does or wants right now, and words that only look like a first person.
_NOT_A_HABIT = (
    r"(?!(?:pienso|creo|sé|veo|quiero|necesito|puedo|debo|espero|entiendo|encuentro|busco|intento|pruebo|ejecuto|abro|hago|digo|pido|pregunto|recibo|obtengo|pongo|pulso|escribo|envío"
    r"|mando|llamo|recuerdo|olvido|supongo|imagino|agradezco|acepto|dudo|siento|estoy|voy|vengo|tengo|soy|he|deseo|prefiero|refiero|añado|cambio|borro|copio|pego|instalo|importo|lanzo|inicio"
    r"|nuestro|pero|como|bueno|solo|sólo|cuando|esto|eso|otro|todo|hecho|perfecto|claro|luego|cuanto|ahora|mismo|primero|segundo|tercero|último|algo|tanto|mucho|poco|cierto|quizá|no|yo|lo|ejemplo|gracias)\b)"
)
_OF_THE_MOMENT = (
    r"(?![^,;]*\b(?:preguntas?|problemas?|errore?s?|funci(?:ón|ones)|listas?|archivos?|ficheros?|scripts?|tablas?|clases?|métodos?|bucles?|columnas?|filas?|variables?|csv|json|páginas?"
    r"|formularios?|imagen|imágenes|párrafos?|idea|dudas?|fiebre|minuto|momento|borrador|botón|salida|entrada|avisos?|ejemplos?|sensación|tiempo|hambre|sed|suerte|razón|prueba|est[eao]s?|es[eao]s?|aquello)\b)"
)

GRAMMAR = Grammar(
    language="es",
    remember=any_of(
        (
            r"^(?:(?:por favor|y|oye|bueno|vale|ok|además|también|puedes|podrías|quiero que|necesito que)[, ]+)*"
            r"(?:recuerda|recuerde|recuerdes|recordar|recuérdalo|acuérdate|acuérdese|ten(?:ga)? (?:muy )?(?:en cuenta|presente)|tener en cuenta|no (?:te )?olvides?|no se olvide|no olvide|apunta(?:lo)?|apunte|apuntar|anota(?:lo)?|anote|anotar"
            r"|toma nota|tome nota|memoriza(?:lo)?|memorice|guarda(?:lo)?(?: esto)?(?: en (?:tu |la )?memoria)?|guarde(?: en (?:su |la )?memoria)?)(?: bien| por favor| también| siempre| esto| lo siguiente)*(?: de)?"
            r"(?:\s*[:–—-]+\s*(?:que\s+)?|\s*,\s*(?:que\s+)?(?=[^.]*\b(?:yo|mi|mis|soy|tengo|vivo|nuestr\w+|nos|me)\b)|\s+(?:de )?que\s+|\s+(?=(?:mi|mis|soy|estoy|nuestr\w+|siempre|nunca)\b)|[.!]*$)(?P<what>.*)",
            r"^(?:una |un |pequeña |pequeño )*(?:nota|recordatorio|aviso|apunte)(?: para (?:ti|mí|más (?:tarde|adelante)|el futuro|la próxima))?\s*:\s*(?P<what2>.+)",
            r"^(?:para (?:el futuro|la próxima(?: vez)?|que lo sepas|que conste)|para tu información)[,:]?\s+(?P<what3>.+)",
            r"^(?P<what4>.+?)[,;–—-]+\s*(?:por favor,? )?(?:recuérdalo|apúntalo|anótalo|no lo olvides|tenlo en cuenta|guárdalo)[.!]*$",
        )
    ),
    keep_out=any_of(
        (
            r"\bno (?:lo |la |me )?(?:recuerdes|guardes|anotes|apuntes|memorices|registres|guarde|recuerde|anote)\b(?! que siempre)|\bsin guardar(?:lo)?\b|\bentre (?:tú y yo|nosotros)\b|\bolvida (?:eso|esto|lo que|que)\b|\bextraoficialmente\b",
            r"\b(?:es broma|era broma|de broma|imagina que|finge|haz como si|en (?:la|mi|el|un) (?:historia|novela|cuento|juego|película|sueño))\b",
        )
    ),
    filler=any_of(
        (
            r"(?:hola|oye|pues|y|pero|bueno|vale|ok(?:ay)?|además|por cierto|por favor|en realidad|de hecho|eh)(?:[,.:;!–—-]+\s*|\s+)",
            r"(?:buenas|buenos días|buenas (?:tardes|noches)|(?:muchas )?gracias|bien|perfecto|sí|no|también|la verdad(?: es que)?|sinceramente|corrección|una cosa más|otra cosa|espera"
            r"|perdona|cambio de planes|como sabes|importante|nota|(?:un poco )?sobre mí)[,.:;!–—-]+\s*",
        )
    ),
    lead=any_of(
        (
            r"(?:creo que|porque|así que|ahora)\s+",
            r"(?:después de|tras|desde hace|en|durante) (?:(?!yo\b)[\wáéíóúñ'-]+ ){1,6}?(?=(?:ahora|nos|vivo|vivimos|me)\b)|(?:el|la|los) (?:mes|semana|año|verano)(?:es|s)? pasad[oa]s?,? |(?:ayer|hace (?:poco|\w+ \w+)),? (?=(?:nos|me) )",
        )
    ),
    clause=any_of(
        (
            r"(?<=\w)[;:–—]\s+|\s[–—-]\s",
            r",?\s+(?:y|pero|así que|porque|por eso)\s+(?=(?:yo|mi|mis|me|soy|vivo|trabajo|doy|tengo|nuestr\w+|prefiero|por favor|no|siempre|nunca|usa|responde)\b)",
            r",\s+(?=(?:yo|mi|mis|soy|vivo|trabajo|nuestr\w+|prefiero|por favor|siempre|nunca|usa|responde|añade|evita|incluye|ahora|solo)\b)",
        )
    ),
    kinds=(
        (
            "instruction",
            any_of(
                (
                    rf"(?:por favor,? )?(?:nunca|jamás|no) (?:más )?(?:me )?{_SUBJUNCTIVE}\b.*(?:\bnunca\b|\bjamás\b|cuando|conmigo|emojis|en (?:tus|mis|las) )",
                    rf"(?:por favor,? )?(?:nunca|jamás) (?:me )?{_SUBJUNCTIVE}\b|(?:por favor,? )?siempre {_IMPERATIVE}\b",
                    rf"(?:por favor,? )?{_IMPERATIVE}\b.*\b(?:siempre|en todo momento|por defecto|en adelante|cada vez|cuando me|cuando te)\b",
                    r"(?:a partir de ahora|de ahora en adelante|desde ahora|en adelante|en el futuro|de aquí en adelante)\b|.*\b(?:a partir de ahora|de ahora en adelante|en lo sucesivo)\b",
                    rf"(?:siempre que|cada vez que|cuando) (?:me |te )?[^,]+, .*\b{_IMPERATIVE}\b|(?:en|para) [^,]{3,40} (?:{_IMPERATIVE} siempre|siempre {_IMPERATIVE})\b",
                    r"(?:por favor,? )?(?:nada de|sin|ningún|ninguna) [\wáéíóúñ -]{2,30} en (?:los |las |mis |tus )?(?:textos|correos|mensajes|respuestas|código|documentos|recetas)\b",
                    rf"(?:por favor,? )?en (?:el |los |las )?[\wáéíóúñ ]{{3,30}} (?:{_IMPERATIVE}|pon) siempre\b",
                    r"(?:por favor,? )?(?:llámame|trátame de|tutéame|deja de )\b|quiero que (?:siempre|nunca)\b",
                    rf"(?:por favor,? )?mantén (?:tus|las|todas) (?:respuestas|explicaciones|mensajes)",
                )
            ),
        ),
        (
            "decision",
            any_of(
                (
                    r"(?:al final |finalmente |ya )?(?:(?:nosotros|yo|el equipo) )?(?:hemos |he |ha )?(?:decidido|acordado|elegido|optado|quedado en|decidimos|decidí|acordamos|elegimos|elegí|optamos|quedamos en)\b",
                    r".*(?:nos (?:hemos )?(?:quedado|quedamos|decantado|decantamos) (?:con|por)|nos decidimos por)\b",
                    r"(?:vamos a|voy a) (?:usar|seguir con|quedarnos con|migrar|cambiar) .*\b(?:para|en)\b|(?:la )?decisión(?: final| definitiva)?(?: es|:)|(?:la|nuestra) (?:regla|norma|convención|política)(?: es|:)|se (?:ha decidido|decidió|acordó)",
                    r".*\b(?:la|lo|el|los|las)? ?(?:hacemos|construimos|escribimos|desarrollamos) en \w+",
                )
            ),
        ),
        (
            "todo",
            any_of(
                (
                    r"(?:por favor,? )?recuérdame\b|todo\b(?=:)|tarea:|pendiente:",
                    rf".*\b(?:tengo|tenemos) que\b.*{_DAY}|(?:el )?{_DAY}.*\b(?:(?:tengo|tenemos|hay) que|debo|debemos)\b|.*\b(?:debo|debemos|necesito|hay que)\b.*\b(?:antes de|para|hasta|el|mañana) ?.*{_DAY}",
                    rf".*\b(?:vence|plazo|fecha límite|entrega)\b.*{_DAY}",
                )
            ),
        ),
        (
            "event",
            any_of(
                (
                    r"(?:hoy|ayer|esta mañana|anoche|acabo de|acabamos de)\b.*\b(?:hemos|he|\w+amos|\w+imos|\w+é|\w+í|publicar|terminar|entregar|enviar|lanzar)\b",
                )
            ),
        ),
        (
            "identity",
            any_of(
                (
                    r"(?:yo )?me llamo\b|mi nombre es\b|(?:todos|todo el mundo|la gente) me (?:llaman?|dicen?)\b|me (?:dicen|llaman) ",
                    rf"(?:mi|mis) (?:\w+ )?{_OWN}\b(?: [\wáéíóúñ]+){{0,4}}? (?:es|son|está|se llama|tiene|usa|funciona)\b",
                    rf"(?:mi|mis|nuestr[oa]s?) (?:(?:mejor|ex|nuev[oa]|dos|tres) )?{_RELATIVE}(?: (?:mayor|menor|pequeñ[oa]|(?-i:[A-ZÁÉÍÓÚ])\w+))? (?:es|son|se llaman?|viven?|trabajan?|tienen?|hablan?|usan?|odian?|prefieren?|estudian?|juegan?|puede|no|necesitan?|va|nació|está en)\b",
                    r"(?:yo )?soy (?!un poco|consciente|capaz|nuev[oa] (?:en esto)|un (?:robot|pirata|desastre)|yo|el que|la que|de la opinión)[\wáéíóúñ]+",
                    r".*(?:^| )soy (?:voluntari[oa]|soci[oa]|miembro|profesor\w*|alérgic[oa]|vegetarian[oa]|vegan[oa])",
                    r"(?:yo )?estoy (?:casad[oa]|soltero|soltera|divorciad[oa]|jubilad[oa]|embarazada|en paro)\b",
                    r"(?:(?:yo|ahora|actualmente) )*(?:vivo|vivimos|resido|residimos) (?:en|con|cerca|solo|sola)\b|.*\bahora (?:vivo|vivimos)\b",
                    r"(?:me|nos) (?:he|hemos)? ?(?:mudado|mudé|mudamos|trasladado|trasladamos|trasladé|instalado|instalamos) (?:a|en|de)\b|.*\b(?:nos mudamos|me mudé|nos hemos mudado|me he mudado) a\b",
                    r"(?:yo )?(?:trabajo|estudio|enseño|doy clases?|imparto|dirijo|estudié|colaboro)\b(?! (?:en esto|en ello|hoy|ahora))",
                    rf"(?:yo )?(?:tengo|tenemos) (?:un[oa]?s?|dos|tres|cuatro|\d+|ningún) (?:\w+ )?(?:{_RELATIVE}|alergias?|intolerancia|jardín|huerto|casa|coche)|tengo (?:alergia|intolerancia|diabetes|asma|\d+ años|\w+ años)",
                    r"(?:yo )?(?:ya )?no (?:como|bebo|tomo|fumo|puedo (?:comer|beber|tomar)|conduzco|trabajo los|leo|tolero)\b",
                    r"(?:yo )?(?:nací|crecí|vengo de|hablo|toco|juego al|colecciono|practico|canto|bailo|pinto|corro|nado)\b(?! (?:sobre|de esto|con))",
                    rf".*\b(?:siempre|nunca|normalmente|casi nunca) (?:me |lo |la )?(?!me sale|sale|da|obtengo|recibo|veo|falla)\w+o\b|suelo \w+r\b",
                    rf"(?:en|los|las|por) [\wáéíóúñ ]{{3,24}} (?:siempre |nunca |no |solo )?(?:elijo|trabajo|leo|como|tomo|uso|escribo|corro|nado|voy|soy|hago|descanso|cojo|prefiero)\b",
                    r"(?:ahora|actualmente) (?:voy|uso|trabajo|soy|conduzco)\b|voy (?:siempre )?(?:en|a pie)\b",
                )
            ),
        ),
        (
            "preference",
            any_of(
                (
                    rf"(?:yo )?(?:prefiero|adoro|amo|odio|detesto|disfruto|aborrezco) (?:(?:mucho|más|siempre|de|del) )*{_VAGUE}",
                    rf"(?:a mí )?(?:no )?(?:me|nos) (?:gusta|gustan|encanta|encantan|fascinan?|apasionan?|molestan?|interesan?|cae mal|sienta mal) (?:(?:mucho|nada|más|demasiado|especialmente|muchísimo) )*{_VAGUE}",
                    r"no soporto\b|mi \w+ (?:favorit[oa]|preferid[oa]) es\b|.+ es mi (?:\w+ )?(?:favorit[oa]|preferid[oa])\b|mi(?:s)? (?:\w+ )?(?:favorit[oa]s?|preferid[oa]s?) (?:es|son)",
                    r"soy (?:muy |más )?(?:fan|aficionad[oa]|amante|partidari[oa]|más de)\b",
                )
            ),
        ),
        (
            "reference",
            any_of(
                (
                    r"(?:(?:el|la|los|las|nuestr\w+) )?[\w' áéíóúñ-]{0,40}(?:documentación|documentos?|manual|wiki|guía|panel|especificaci\w+|repositorio|tablero|hoja|carpeta|canal|actas|plantillas?|copias de seguridad|registros|diseños|archivos)\b[\w' áéíóúñ-]{0,20} (?:está|están|vive|se guarda|se guardan|se encuentra|se encuentran) (?:en|bajo)\b",
                )
            ),
        ),
        (
            "project",
            any_of(
                (
                    r"(?:el|la|los|las|nuestr[oa]s?|mi) (?:[\wáéíóúñ'-]+ ){0,3}?(?:proyecto|producto|app|aplicación|empresa|equipo|repo|repositorio|stack|backend|frontend|base de datos|código|api|nombre en clave|plazo|presupuesto|versión|sprint|oficina|producción|servidor|clúster"
                    r"|web|sitio|servicio|cliente|biblioteca|plataforma|pull requests?|merge requests?|prs?|tests?|rama|reunión|convención)(?: (?:de|del|para|en) [\wáéíóúñ -]+?)? (?:es|son|se llama|usa|usan|utiliza|corre|funciona en|está en|están en|tiene|tienen|necesita|necesitan|requiere|requieren|debe|deben|soporta|consta|se reúne)\b",
                    rf"(?:nosotros )?(?:usamos|utilizamos|desplegamos|alojamos|guardamos|desarrollamos|trabajamos con|programamos|probamos|mantenemos|publicamos|nos reunimos|seguimos) {_VAGUE}",
                )
            ),
        ),
        (
            "identity",
            any_of(
                (
                    rf"(?:yo )?(?:también |ahora |actualmente |siempre |casi siempre )?(?:me (?=pongo|quedo|levanto|acuesto|dedico|muevo) ?(?:pongo|quedo|levanto|acuesto|dedico|muevo) |{_NOT_A_HABIT}\w{{3,}}o )(?!que\b|si\b|el |la |los |las |esto|eso|tu\b|tus\b){_OF_THE_MOMENT}",
                    rf"tengo (?:un[oa]? |el |la |dos |tres |mucho |mucha )?(?!que\b|ganas|hambre|sed|sueño|razón|prisa|tiempo){_OF_THE_MOMENT}[\wáéíóúñ]+",
                    rf"(?:llevo|llevamos) (?:viviendo|trabajando|\w+ años|\w+ meses|años|\w+ando|\w+iendo)|estoy (?:aprendiendo|estudiando|escribiendo un|criando|preparando (?:el|la|un)|recuperándome)\b{_OF_THE_MOMENT}",
                    rf"(?:ahora|actualmente|hoy en día|últimamente) (?!me funciona|funciona|quiero|necesito|veo)(?:me |nos )?\w+(?:o|mos) {_OF_THE_MOMENT}|(?:vend|compr|dej|cambi)\w+ .*\by ahora \w+",
                    r"mis? (?!código|script|pregunta|problema|duda|error|build|prueba|página|pantalla|función|consulta|idea|plan|próxim|últim|primer|mensaje|salida|entrada|archivo|ensayo|texto|borrador|párrafo|opinión|día)"
                    rf"[\wáéíóúñ]+(?: [\wáéíóúñ]+){{0,4}}? (?:es|son|está|están|tiene|tienen|vive|viven|empieza|empiezan|termina|acaba|dura|va|viene|necesita|trabaja|habla|prefiere|cuesta|vence|significa|hace)\b",
                    r"(?!eso|esto|lo que)[\wáéíóúñ' -]{3,40} (?:no )?me (?:sienta|sientan|cuesta|cuestan|va|van|duele|duelen|da|dan|hace|hacen|viene|vienen|resulta|resultan) \w+",
                )
            ),
        ),
        (
            "project",
            any_of(
                (
                    r"(?:tod[oa]s? )?nuestr[oa]s? [\wáéíóúñ' -]{3,50} (?:es|son|está|están|tiene|tienen|usa|usan|va|van|necesita|necesitan|empieza|empiezan|termina|sale|salen|viene|vienen|se \w+|cuesta|abre|cierra|habla|trabaja|consta)\b(?!.*\b(?:esto|eso)\b)",
                    r"(?:el|la|los|las|cada) (?:\w+ ){0,2}?(?:plan|licencia|cuenta|suscripción|contrato|límite|precio|tarifa|garantía|oficina|tienda|almacén|escuela|clínica|laboratorio|boletín|informe|factura|copia|notas)s?(?: de [\wáéíóúñ]+)? (?:es|son|tiene|cuesta|incluye|permite|cierra|abre|empieza|termina|va|van|sale|salen)\b",
                    r"(?:los |las )?(?:clientes|usuarios|facturas|pedidos|pagos|miembros|pacientes|alumnos) (?:deben|pueden|son|tienen|pagan|reciben|van|no|siempre|nunca)\b",
                    r"[\wáéíóúñ' -]{3,40} (?:va|van|se publica|se publican|se guarda|se guardan|se envía|se envían) (?:al|a la|en el|en la|a los) (?:\w+ )?(?:canal|carpeta|tablero|wiki|repositorio|unidad|buzón|lista|servidor)\b",
                )
            ),
        ),
    ),
    corrections=any_of(
        (
            r"^(?!eso|esto|no es)[^,]{3,80}\b(?:es|son|se llama|tiene|usa|está|empieza|se escribe)\b[^,]{1,60}, (?:y )?no (?P<old>[^,.]+)",
            r"^(?!eso|esto)[^,]{0,80}\bno (?:es |son )?(?P<old1>[^,.]+?),? sino ",
            r"^(?:yo |nosotros )?ya no (?!funciona|carga|compila|abre|va|responde|arranca)(?P<old2>[^,.;]+)",
            r"\b(?:cambiamos|cambié|hemos cambiado|he cambiado|pasamos|pasé|hemos pasado|he pasado|migramos|migré|hemos migrado)\b.{0,30}?\bde (?P<old3>.+?) a ",
            r"^(?!si\b).{3,80} en (?:vez|lugar) de (?P<old4>[^,.;]+)",
            r"\b(?:dejé|dejamos|he dejado|hemos dejado) de (?P<old5>[^,.;]+)",
            r"\bantes (?P<old6>[^,.;]+?),? (?:pero )?ahora\b",
        )
    ),
    question=any_of(
        (
            r"[?¿]",
            r"^(?:qué|por qué|cómo|quién|cuál|cuáles|dónde|cuándo|cuánto|puedes|podrías|me puedes|sabes|hay|es cierto|deberíamos|debería|tengo que preguntar|dime (?:qué|cómo|si|cuál))\b",
            r"^(?:me pregunto|no sé si|no estoy segur[oa])",
        )
    ),
    hypothetical=any_of(
        (
            r"^si (?:yo |nosotros )?\w+(?:ara|era|iera|iese|ase|áramos|iéramos|éramos)\b|\bsi (?:viviera|fuera|tuviera|pudiera|decidiéramos)\b|\b\w+(?:aría|ería|iría|aríamos|eríamos|iríamos)\b",
            r"\b(?:supón|supongamos|imagina|imaginemos|imagínate|pongamos que|digamos que|por ejemplo|p\. ?ej\.|quizás?|tal vez|a lo mejor|puede que|ojalá|estoy pensando en|pienso (?:dejar|en))\b",
        )
    ),
    one_off=any_of(
        (
            r"\b(?:solo|sólo)? ?(?:por |en )?esta (?:vez|respuesta|ocasión|pregunta|tarea)\b|\b(?:en|para) est[ea] (?:respuesta|mensaje|pregunta|caso|tarea|correo|chat)\b|\bpor (?:ahora|hoy|el momento)\b|\bde momento\b|\bsolo hoy\b|\btemporalmente\b|\bahora mismo\b",
            r"\b(?:primera|segunda|tercera|última|otra) (?:versión|opción|propuesta|variante)\b|^(?:quisiera|me gustaría|quiero|necesito) (?:un|una|ver|saber)\b",
        )
    ),
    reported=any_of(
        (
            r"\b(?!yo\b)\w+ (?:(?:siempre|me|nos|nunca) )*(?:dijo|dice|dicen|cree|creen|piensa|piensan|opina|afirma|asegura|escribió|escribe|contó|cuenta|comentó|preguntó|sostiene)\b",
            r"^(?:dicen|dice|dijo|cuentan|he oído|oí|según|al parecer|por lo visto|parece que)\b|\b(?:según|supuestamente|al parecer|por lo visto)\b",
        )
    ),
    passing=any_of(
        (
            r"\b(?:error(?:es)?|excepción|fallo|falla|fallan|fallando|roto|rota|bug|atascad[oa]|caíd[oa]|colgad[oa]|tiempo de espera|404|500|no (?:funciona|carga|abre|compila|arranca|responde|va|encuentro|puedo (?:ver|abrir|encontrar|entrar|conectar)))\b",
            r"\b(?:hoy|esta (?:mañana|tarde|noche|semana)|ahora mismo|ayer|anoche)\b|\bun poco (?:cansad|enferm|perdid|ocupad|confundid)\w*|\b(?:estoy|me siento) (?:cansad|enferm|perdid|ocupad|confundid|content|triste|segur|list)\w*"
            r"|\b(?:es|son|está|están|fue|estoy|era) (?:muy |tan |súper |realmente )*(?:genial|buen|mal[oa]|increíble|bonit|guay|divertid|fantástic|perfect|emocionad|content|maravillos|difícil|estupend|bien\b)\w*",
        )
    ),
    polite=any_of((r"^¿?(?:por favor,? )?(?:puedes|podrías|me puedes) (?:recordar|apuntar|anotar|guardar|tener en cuenta) (?:que|:)",)),
    first_person=any_of((r"\b(?:yo|mi|mis|me|soy|tengo|vivo|trabajo|prefiero|tomo|como|uso|\w+é|dejé|voy)\b",)),
    speaker=any_of(
        (
            r"\b(?:yo|mi|mis|nuestr[oa]s?|soy|tengo|vivo)\b|\b(?!vamos|tenemos que|veamos|podemos|queremos|sabemos)\w{2,}(?:amos|emos|imos)\b",
            rf"^(?:(?:solo|sólo|siempre|nunca|también|ya|casi|normalmente|los|las|el|la|en|por|de|lunes|martes|miércoles|jueves|viernes|sábados?|domingos?|noche|mañana|tarde|fines|semana) )*{_NOT_A_HABIT}(?:\w{{3,}}(?<![aeiou])[o]|crecí|nací|estudié) ",
        )
    ),
    told=any_of(
        (
            r"(?:el|la|los|las|tod[oa]s (?:los|las)|cada) [\wáéíóúñ' -]{2,50} (?:está|están|es|son|se) (?:escrit|construid|alojad|desplegad|gestiona|gestionad|guarda|guardad|mantenid|desarrollad|publica|publicad|prohibid|aprobad|ubicad|factura)\w*",
            r"(?:quien|la persona que|el que|la que) .* (?:es|son)\b|(?:tod[oa]s (?:los|las)|cada) [\wáéíóúñ' -]{2,50} (?:necesita|necesitan|debe|deben|requiere|requieren|va|van)\b",
        )
    ),
    fleeting=any_of(
        (
            r"\b(?:tú|tu|tus|te|ti|usted|esto|eso|est[ea]s?|es[ea]s?|aquí|allí|ahí|él|ella|ellos|ellas|lo|vamos|quizás?|tal vez|gracias|ejemplo|perdón|acabo|acabamos|poder|hemos|he|había|iba|estaba)\b",
            r"\b(?:pienso|creo|sé|veo|quiero|necesito|puedo|debo|espero|entiendo|encuentro|busco|intento|pruebo|ejecuto|abro|hago|digo|pido|pregunto|recibo|obtengo|pulso|escribo un|envío|mando|recuerdo|olvido|supongo"
            r"|imagino|agradezco|dudo|siento|voy a|vengo|estoy|refiero|añado|cambio|borro|copio|pego|instalo|importo|lanzo|inicio|queremos|podemos|tenemos que|tengo que|vemos|necesitamos|pensamos|creemos|hicimos|vimos|fuimos|pasamos)\b",
            r"\b(?:preguntas?|problemas?|funci(?:ón|ones)|listas?|archivos?|ficheros?|scripts?|tablas?|clases? de|métodos?|bucles?|columnas?|filas?|variables?|csv|json|páginas?|formularios?|párrafos?|idea|dudas?|momento|borrador|botón"
            r"|salida|entrada|avisos?|paso|código|opinión|parte|razón|segunda|primera|genial|divertido|otra vez|de nuevo)\b|\b(?:yo )?\w+(?:é|í)\b(?! (?:en|cuando|de niñ))",
        )
    ),
    attributes=(
        ("name", any_of((r"me llamo|mi nombre es|llámame",))),
        ("home", any_of((r"(?:ahora )?(?:vivo|vivimos) en|(?:me|nos) (?:he |hemos )?(?:mud\w+|traslad\w+) a|.*(?:nos mudamos|me mudé) a",))),
        ("work", any_of((r"trabajo (?:en|para)|mi empresa es",))),
        ("birthday", any_of((r"mi cumpleaños",))),
        ("time zone", any_of((r"mi (?:zona horaria|huso horario)",))),
        ("pronouns", any_of((r"mis pronombres",))),
        ("age", any_of((r"tengo \d{1,3} años",))),
        ("email", any_of((r"mi (?:correo|e-?mail)",))),
        ("code name", any_of((r"el nombre en clave|el proyecto(?: de \w+)? se llama",))),
        ("budget", any_of((r"(?:el|nuestro) presupuesto\b",))),
        ("deadline", any_of((r"(?:el|nuestro) plazo\b|la fecha límite",))),
    ),
    subject=any_of((r"(?:el|la|los|las|nuestr\w+)?\s*(?P<subject>.+?)\s+(?:es|son|está|están|se|tiene|usa)\b",)),
)
