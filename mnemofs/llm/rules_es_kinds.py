"""Spanish for the rules engine: how lasting statements are worded."""

from __future__ import annotations

import re

from mnemofs.llm.rules_grammar import Kind, any_of

_RELATIVE = (
    r"(?:mujer|esposa|marido|esposo|pareja|novi[oa]|prometid[oa]|madre|mamá|padre|papá|padres"
    r"|herman[oa]s?|hij[oa]s?|niñ[oa]s?|bebé|gemel[oa]s|mellizos|abuel[oa]s?|tí[oa]s?|prim[oa]s?"
    r"|sobrin[oa]s?|suegr[oa]s?|perr[oa]s?|gat[oa]s?"
    r"|mascota|caballo|compañer[oa](?: de piso)?|vecin[oa]|jef[ea]|médic[oa]|caser[oa])"
)
_OWN = (
    r"(?:nombre|apellido|apodo|cumpleaños|fecha de nacimiento|zona horaria|huso horario|correo"
    r"|e-?mail|dirección|teléfono|empresa|equipo|trabajo|puesto|profesión|ciudad|lengua materna"
    r"|idioma|pronombres|altura|peso|talla|grupo sanguíneo|dieta|religión"
    r"|editor|portátil|ordenador|computadora|móvil|coche|bici|teclado|sistema operativo"
    r"|navegador|usuario|oficina|piso|casa|universidad|escuela|afición|aficiones|especialidad"
    r"|objetivo|alergia|alergias)"
)
_VAGUE = (
    r"(?!(?:es[oae]s?|est[oae]s?|aquell?[oa]s?|lo que|tu|tus|su respuesta|la (?:primera|segunda"
    r"|tercera|última|idea|respuesta|versión)|el (?:primero|segundo|tercero|último|azul|rojo"
    r"|resultado)|más la|más el|saber|ver|un ejemplo|una tabla|cómo|cuando|que|ese|eso)\b)"
)
_IMPERATIVE = (
    r"(?:usa|use|utiliza|utilice|escribe|escriba|responde|responda|contesta|conteste|habla|hable"
    r"|llama|llame|da|dame|deme|muestra|muéstrame|explica|explícame|pregunta|pregúntame"
    r"|comprueba|revisa|incluye|añade|añada|agrega|pon|ponga|mantén|empieza|termina"
    r"|evita|evite|di|dime|cita|traduce|redondea|formatea|haz|haga|deja|trátame|tutéame"
    r"|recomienda|menciona|reserva|prefiere|recuérdame)"
)
_SUBJUNCTIVE = (
    r"(?:uses?|utilices?|escribas?|respondas?|contestes?|hables?|llames?|me llames|me tutees"
    r"|tutees|me trates|des|me des|muestres|expliques|preguntes|incluyas|añadas|agregues|pongas"
    r"|empieces|termines|digas|cites|traduzcas|hagas|te disculpes|recomiendes|menciones|borres"
    r"|cambies|toques)"
)
_DAY = (
    r"(?:hoy|mañana|pasado mañana|lunes|martes|miércoles|jueves|viernes|sábado|domingo"
    r"|fin de (?:mes|semana|año)|la semana que viene|el mes que viene|próxim[oa] \w+|mediodía"
    r"|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre"
    r"|diciembre|el \d{1,2}|\d{1,2}/\d{1,2}|\d{4}-\d\d-\d\d|a las \w+)"
)
# What someone does or wants right now, and words that only look like a first person.
NOT_A_HABIT = (
    r"(?!(?:pienso|creo|sé|veo|quiero|necesito|puedo|debo|espero|entiendo|encuentro|busco"
    r"|intento|pruebo|ejecuto|abro|hago|digo|pido|pregunto|recibo|obtengo|pongo|pulso|escribo|envío"
    r"|mando|llamo|recuerdo|olvido|supongo|imagino|agradezco|acepto|dudo|siento|estoy|voy|vengo"
    r"|tengo|soy|he|deseo|prefiero|refiero|añado|cambio|borro|copio|pego|instalo|importo|lanzo"
    r"|inicio"
    r"|nuestro|pero|como|bueno|solo|sólo|cuando|esto|eso|otro|todo|hecho|perfecto|claro|luego"
    r"|cuanto|ahora|mismo|primero|segundo|tercero|último|algo|tanto|mucho|poco|cierto|quizá|no"
    r"|yo|lo|ejemplo|gracias)\b)"
)
_OF_THE_MOMENT = (
    r"(?![^,;]*\b(?:preguntas?|problemas?|errore?s?|funci(?:ón|ones)|listas?|archivos?|ficheros?"
    r"|scripts?|tablas?|clases?|métodos?|bucles?|columnas?|filas?|variables?|csv|json|páginas?"
    r"|formularios?|imagen|imágenes|párrafos?|idea|dudas?|fiebre|minuto|momento|borrador|botón"
    r"|salida|entrada|avisos?|ejemplos?|sensación|tiempo|hambre|sed|suerte|razón|prueba"
    r"|est[eao]s?|es[eao]s?|aquello)\b)"
)

KINDS: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    (
        "instruction",
        any_of(
            (
                r"(?:por favor,? )?(?:nunca|jamás"
                rf"|no) (?:más )?(?:me )?{_SUBJUNCTIVE}\b.*(?:\bnunca\b|\bjamás\b|cuando"
                r"|conmigo|emojis|en (?:tus|mis|las) )",
                rf"(?:por favor,? )?(?:nunca|jamás) (?:me )?{_SUBJUNCTIVE}\b"
                rf"|(?:por favor,? )?siempre {_IMPERATIVE}\b",
                rf"(?:por favor,? )?{_IMPERATIVE}\b.*\b(?:siempre|en todo momento"
                r"|por defecto|en adelante|cada vez|cuando me|cuando te)\b",
                r"(?:a partir de ahora|de ahora en adelante|desde ahora|en adelante"
                r"|en el futuro|de aquí en adelante)\b|.*\b(?:a partir de ahora"
                r"|de ahora en adelante|en lo sucesivo)\b",
                r"(?:siempre que|cada vez que|cuando) (?:me "
                rf"|te )?[^,]+, .*\b{_IMPERATIVE}\b|(?:en"
                rf"|para) [^,]{3, 40} (?:{_IMPERATIVE} siempre|siempre {_IMPERATIVE})\b",
                r"(?:por favor,? )?(?:nada de|sin|ningún"
                r"|ninguna) [\wáéíóúñ -]{2,30} en (?:los |las |mis |tus )?(?:textos|correos"
                r"|mensajes|respuestas|código|documentos|recetas)\b",
                r"(?:por favor,? )?en (?:el |los "
                rf"|las )?[\wáéíóúñ ]{{3,30}} (?:{_IMPERATIVE}|pon) siempre\b",
                r"(?:por favor,? )?(?:llámame|trátame de|tutéame|deja de )\b"
                r"|quiero que (?:siempre|nunca)\b",
                r"(?:por favor,? )?mantén (?:tus|las|todas) (?:respuestas|explicaciones"
                r"|mensajes)",
            )
        ),
    ),
    (
        "decision",
        any_of(
            (
                r"(?:al final |finalmente |ya )?(?:(?:nosotros|yo|el equipo) )?(?:hemos |he "
                r"|ha )?(?:decidido|acordado|elegido|optado|quedado en|decidimos|decidí"
                r"|acordamos|elegimos|elegí|optamos|quedamos en)\b",
                r".*(?:nos (?:hemos )?(?:quedado|quedamos|decantado|decantamos) (?:con|por)"
                r"|nos decidimos por)\b",
                r"(?:vamos a|voy a) (?:usar|seguir con|quedarnos con|migrar"
                r"|cambiar) .*\b(?:para|en)\b|(?:la )?decisión(?: final| definitiva)?(?: es"
                r"|:)|(?:la|nuestra) (?:regla|norma|convención|política)(?: es|:)"
                r"|se (?:ha decidido|decidió|acordó)",
                r".*\b(?:la|lo|el|los|las)? ?(?:hacemos|construimos|escribimos"
                r"|desarrollamos) en \w+",
            )
        ),
    ),
    (
        "todo",
        any_of(
            (
                r"(?:por favor,? )?recuérdame\b|todo\b(?=:)|tarea:|pendiente:",
                rf".*\b(?:tengo|tenemos) que\b.*{_DAY}|(?:el )?{_DAY}.*\b(?:(?:tengo|tenemos"
                r"|hay) que|debo|debemos)\b|.*\b(?:debo|debemos|necesito"
                rf"|hay que)\b.*\b(?:antes de|para|hasta|el|mañana) ?.*{_DAY}",
                rf".*\b(?:vence|plazo|fecha límite|entrega)\b.*{_DAY}",
            )
        ),
    ),
    (
        "event",
        any_of(
            (
                r"(?:hoy|ayer|esta mañana|anoche|acabo de|acabamos de)\b.*\b(?:hemos|he"
                r"|\w+amos|\w+imos|\w+é|\w+í|publicar|terminar|entregar|enviar|lanzar)\b",
            )
        ),
    ),
    (
        "identity",
        any_of(
            (
                r"(?:yo )?me llamo\b|mi nombre es\b|(?:todos|todo el mundo"
                r"|la gente) me (?:llaman?|dicen?)\b|me (?:dicen|llaman) ",
                rf"(?:mi|mis) (?:\w+ )?{_OWN}\b(?: [\wáéíóúñ]+){{0,4}}? (?:es|son|está"
                r"|se llama|tiene|usa|funciona)\b",
                r"(?:mi|mis|nuestr[oa]s?) (?:(?:mejor|ex|nuev[oa]|dos"
                rf"|tres) )?{_RELATIVE}(?: (?:mayor|menor|pequeñ[oa]"
                r"|(?-i:[A-ZÁÉÍÓÚ])\w+))? (?:es|son|se llaman?|viven?|trabajan?|tienen?"
                r"|hablan?|usan?|odian?|prefieren?|estudian?|juegan?|puede|no|necesitan?|va"
                r"|nació|está en)\b",
                r"(?:yo )?soy (?!un poco|consciente|capaz|nuev[oa] (?:en esto)|un (?:robot"
                r"|pirata|desastre)|yo|el que|la que|de la opinión)[\wáéíóúñ]+",
                r".*(?:^| )soy (?:voluntari[oa]|soci[oa]|miembro|profesor\w*|alérgic[oa]"
                r"|vegetarian[oa]|vegan[oa])",
                r"(?:yo )?estoy (?:casad[oa]|soltero|soltera|divorciad[oa]|jubilad[oa]"
                r"|embarazada|en paro)\b",
                r"(?:(?:yo|ahora|actualmente) )*(?:vivo|vivimos|resido|residimos) (?:en|con"
                r"|cerca|solo|sola)\b|.*\bahora (?:vivo|vivimos)\b",
                r"(?:me|nos) (?:he|hemos)? ?(?:mudado|mudé|mudamos|trasladado|trasladamos"
                r"|trasladé|instalado|instalamos) (?:a|en|de)\b|.*\b(?:nos mudamos|me mudé"
                r"|nos hemos mudado|me he mudado) a\b",
                r"(?:yo )?(?:trabajo|estudio|enseño|doy clases?|imparto|dirijo|estudié"
                r"|colaboro)\b(?! (?:en esto|en ello|hoy|ahora))",
                r"(?:yo )?(?:tengo|tenemos) (?:un[oa]?s?|dos|tres|cuatro|\d+"
                rf"|ningún) (?:\w+ )?(?:{_RELATIVE}|alergias?|intolerancia|jardín|huerto"
                r"|casa|coche)|tengo (?:alergia|intolerancia|diabetes|asma|\d+ años|\w+ años)",
                r"(?:yo )?(?:ya )?no (?:como|bebo|tomo|fumo|puedo (?:comer|beber|tomar)"
                r"|conduzco|trabajo los|leo|tolero)\b",
                r"(?:yo )?(?:nací|crecí|vengo de|hablo|toco|juego al|colecciono|practico"
                r"|canto|bailo|pinto|corro|nado)\b(?! (?:sobre|de esto|con))",
                r".*\b(?:siempre|nunca|normalmente|casi nunca) (?:me |lo |la )?(?!me sale"
                r"|sale|da|obtengo|recibo|veo|falla)\w+o\b|suelo \w+r\b",
                r"(?:en|los|las|por) [\wáéíóúñ ]{3,24} (?:siempre |nunca |no "
                r"|solo )?(?:elijo|trabajo|leo|como|tomo|uso|escribo|corro|nado|voy|soy|hago"
                r"|descanso|cojo|prefiero)\b",
                r"(?:ahora|actualmente) (?:voy|uso|trabajo|soy|conduzco)\b"
                r"|voy (?:siempre )?(?:en|a pie)\b",
            )
        ),
    ),
    (
        "preference",
        any_of(
            (
                r"(?:yo )?(?:prefiero|adoro|amo|odio|detesto|disfruto"
                rf"|aborrezco) (?:(?:mucho|más|siempre|de|del) )*{_VAGUE}",
                r"(?:a mí )?(?:no )?(?:me|nos) (?:gusta|gustan|encanta|encantan|fascinan?"
                r"|apasionan?|molestan?|interesan?|cae mal|sienta mal) (?:(?:mucho|nada|más"
                rf"|demasiado|especialmente|muchísimo) )*{_VAGUE}",
                r"no soporto\b|mi \w+ (?:favorit[oa]|preferid[oa]) es\b"
                r"|.+ es mi (?:\w+ )?(?:favorit[oa]|preferid[oa])\b"
                r"|mi(?:s)? (?:\w+ )?(?:favorit[oa]s?|preferid[oa]s?) (?:es|son)",
                r"soy (?:muy |más )?(?:fan|aficionad[oa]|amante|partidari[oa]|más de)\b",
            )
        ),
    ),
    (
        "reference",
        any_of(
            (
                r"(?:(?:el|la|los|las|nuestr\w+) )?[\w' áéíóúñ-]{0,40}(?:documentación"
                r"|documentos?|manual|wiki|guía|panel|especificaci\w+|repositorio|tablero"
                r"|hoja|carpeta|canal|actas|plantillas?|copias de seguridad|registros"
                r"|diseños|archivos)\b[\w' áéíóúñ-]{0,20} (?:está|están|vive|se guarda"
                r"|se guardan|se encuentra|se encuentran) (?:en|bajo)\b",
            )
        ),
    ),
    (
        "project",
        any_of(
            (
                r"(?:el|la|los|las|nuestr[oa]s?|mi) (?:[\wáéíóúñ'-]+ ){0,3}?(?:proyecto"
                r"|producto|app|aplicación|empresa|equipo|repo|repositorio|stack|backend"
                r"|frontend|base de datos|código|api|nombre en clave|plazo|presupuesto"
                r"|versión|sprint|oficina|producción|servidor|clúster"
                r"|web|sitio|servicio|cliente|biblioteca|plataforma|pull requests?"
                r"|merge requests?|prs?|tests?|rama|reunión|convención)(?: (?:de|del|para"
                r"|en) [\wáéíóúñ -]+?)? (?:es|son|se llama|usa|usan|utiliza|corre"
                r"|funciona en|está en|están en|tiene|tienen|necesita|necesitan|requiere"
                r"|requieren|debe|deben|soporta|consta|se reúne)\b",
                r"(?:nosotros )?(?:usamos|utilizamos|desplegamos|alojamos|guardamos"
                r"|desarrollamos|trabajamos con|programamos|probamos|mantenemos|publicamos"
                rf"|nos reunimos|seguimos) {_VAGUE}",
            )
        ),
    ),
    (
        "identity",
        any_of(
            (
                r"(?:yo )?(?:también |ahora |actualmente |siempre "
                r"|casi siempre )?(?:me (?=pongo|quedo|levanto|acuesto|dedico"
                r"|muevo) ?(?:pongo|quedo|levanto|acuesto|dedico|muevo) "
                rf"|{NOT_A_HABIT}\w{{3,}}o )(?!que\b|si\b|el |la |los |las |esto|eso|tu\b"
                rf"|tus\b){_OF_THE_MOMENT}",
                r"tengo (?:un[oa]? |el |la |dos |tres |mucho |mucha )?(?!que\b|ganas|hambre"
                rf"|sed|sueño|razón|prisa|tiempo){_OF_THE_MOMENT}[\wáéíóúñ]+",
                r"(?:llevo|llevamos) (?:viviendo|trabajando|\w+ años|\w+ meses|años|\w+ando"
                r"|\w+iendo)|estoy (?:aprendiendo|estudiando|escribiendo un|criando"
                rf"|preparando (?:el|la|un)|recuperándome)\b{_OF_THE_MOMENT}",
                r"(?:ahora|actualmente|hoy en día|últimamente) (?!me funciona|funciona"
                rf"|quiero|necesito|veo)(?:me |nos )?\w+(?:o|mos) {_OF_THE_MOMENT}|(?:vend"
                r"|compr|dej|cambi)\w+ .*\by ahora \w+",
                r"mis? (?!código|script|pregunta|problema|duda|error|build|prueba|página"
                r"|pantalla|función|consulta|idea|plan|próxim|últim|primer|mensaje|salida"
                r"|entrada|archivo|ensayo|texto|borrador|párrafo|opinión|día)"
                r"[\wáéíóúñ]+(?: [\wáéíóúñ]+){0,4}? (?:es|son|está|están|tiene|tienen"
                r"|vive|viven|empieza|empiezan|termina|acaba|dura|va|viene|necesita|trabaja"
                r"|habla|prefiere|cuesta|vence|significa|hace)\b",
                r"(?!eso|esto|lo que)[\wáéíóúñ' -]{3,40} (?:no )?me (?:sienta|sientan|cuesta"
                r"|cuestan|va|van|duele|duelen|da|dan|hace|hacen|viene|vienen|resulta"
                r"|resultan) \w+",
            )
        ),
    ),
    (
        "project",
        any_of(
            (
                r"(?:tod[oa]s? )?nuestr[oa]s? [\wáéíóúñ' -]{3,50} (?:es|son|está|están|tiene"
                r"|tienen|usa|usan|va|van|necesita|necesitan|empieza|empiezan|termina|sale"
                r"|salen|viene|vienen|se \w+|cuesta|abre|cierra|habla|trabaja"
                r"|consta)\b(?!.*\b(?:esto|eso)\b)",
                r"(?:el|la|los|las|cada) (?:\w+ ){0,2}?(?:plan|licencia|cuenta|suscripción"
                r"|contrato|límite|precio|tarifa|garantía|oficina|tienda|almacén|escuela"
                r"|clínica|laboratorio|boletín|informe|factura|copia"
                r"|notas)s?(?: de [\wáéíóúñ]+)? (?:es|son|tiene|cuesta|incluye|permite"
                r"|cierra|abre|empieza|termina|va|van|sale|salen)\b",
                r"(?:los |las )?(?:clientes|usuarios|facturas|pedidos|pagos|miembros"
                r"|pacientes|alumnos) (?:deben|pueden|son|tienen|pagan|reciben|van|no"
                r"|siempre|nunca)\b",
                r"[\wáéíóúñ' -]{3,40} (?:va|van|se publica|se publican|se guarda|se guardan"
                r"|se envía|se envían) (?:al|a la|en el|en la|a los) (?:\w+ )?(?:canal"
                r"|carpeta|tablero|wiki|repositorio|unidad|buzón|lista|servidor)\b",
            )
        ),
    ),
)
