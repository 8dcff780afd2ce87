"""Spanish for the rules engine."""

from __future__ import annotations

from mnemofs.llm import rules_es_against as against
from mnemofs.llm.rules_es_kinds import KINDS, NOT_A_HABIT
from mnemofs.llm.rules_grammar import Grammar, any_of

GRAMMAR = Grammar(
    language="es",
    remember=any_of(
        (
            r"^(?:(?:por favor|y|oye|bueno|vale|ok|además|también|puedes|podrías|quiero que"
            r"|necesito que)[, ]+)*"
            r"(?:recuerda|recuerde|recuerdes|recordar|recuérdalo|acuérdate|acuérdese"
            r"|ten(?:ga)? (?:muy )?(?:en cuenta|presente)|tener en cuenta|no (?:te )?olvides?"
            r"|no se olvide|no olvide|apunta(?:lo)?|apunte|apuntar|anota(?:lo)?|anote|anotar"
            r"|toma nota|tome nota|memoriza(?:lo)?|memorice|guarda(?:lo)?(?: esto)?(?: en (?:tu "
            r"|la )?memoria)?|guarde(?: en (?:su |la )?memoria)?)(?: bien| por favor| también"
            r"| siempre| esto| lo siguiente)*(?: de)?"
            r"(?:\s*[:–—-]+\s*(?:que\s+)?|\s*,\s*(?:que\s+)?(?=[^.]*\b(?:yo|mi|mis|soy|tengo"
            r"|vivo|nuestr\w+|nos|me)\b)|\s+(?:de )?que\s+|\s+(?=(?:mi|mis|soy|estoy|nuestr\w+"
            r"|siempre|nunca)\b)|[.!]*$)(?P<what>.*)",
            r"^(?:una |un |pequeña |pequeño )*(?:nota|recordatorio|aviso|apunte)(?: para (?:ti"
            r"|mí|más (?:tarde|adelante)|el futuro|la próxima))?\s*:\s*(?P<what2>.+)",
            r"^(?:para (?:el futuro|la próxima(?: vez)?|que lo sepas|que conste)"
            r"|para tu información)[,:]?\s+(?P<what3>.+)",
            r"^(?P<what4>.+?)[,;–—-]+\s*(?:por favor,? )?(?:recuérdalo|apúntalo|anótalo"
            r"|no lo olvides|tenlo en cuenta|guárdalo)[.!]*$",
        )
    ),
    keep_out=against.KEEP_OUT,
    filler=any_of(
        (
            r"(?:hola|oye|pues|y|pero|bueno|vale|ok(?:ay)?|además|por cierto|por favor"
            r"|en realidad|de hecho|eh)(?:[,.:;!–—-]+\s*|\s+)",
            r"(?:buenas|buenos días|buenas (?:tardes|noches)|(?:muchas )?gracias|bien|perfecto"
            r"|sí|no|también|la verdad(?: es que)?|sinceramente|corrección|una cosa más"
            r"|otra cosa|espera"
            r"|perdona|cambio de planes|como sabes|importante|nota"
            r"|(?:un poco )?sobre mí)[,.:;!–—-]+\s*",
        )
    ),
    lead=any_of(
        (
            r"(?:creo que|porque|así que|ahora)\s+",
            r"(?:después de|tras|desde hace|en"
            r"|durante) (?:(?!yo\b)[\wáéíóúñ'-]+ ){1,6}?(?=(?:ahora|nos|vivo|vivimos|me)\b)"
            r"|(?:el|la|los) (?:mes|semana|año|verano)(?:es|s)? pasad[oa]s?,? |(?:ayer"
            r"|hace (?:poco|\w+ \w+)),? (?=(?:nos|me) )",
        )
    ),
    clause=any_of(
        (
            r"(?<=\w)[;:–—]\s+|\s[–—-]\s",
            r",?\s+(?:y|pero|así que|porque|por eso)\s+(?=(?:yo|mi|mis|me|soy|vivo|trabajo|doy"
            r"|tengo|nuestr\w+|prefiero|por favor|no|siempre|nunca|usa|responde)\b)",
            r",\s+(?=(?:yo|mi|mis|soy|vivo|trabajo|nuestr\w+|prefiero|por favor|siempre|nunca"
            r"|usa|responde|añade|evita|incluye|ahora|solo)\b)",
        )
    ),
    kinds=KINDS,
    corrections=any_of(
        (
            r"^(?!eso|esto|no es)[^,]{3,80}\b(?:es|son|se llama|tiene|usa|está|empieza"
            r"|se escribe)\b[^,]{1,60}, (?:y )?no (?P<old>[^,.]+)",
            r"^(?!eso|esto)[^,]{0,80}\bno (?:es |son )?(?P<old1>[^,.]+?),? sino ",
            r"^(?:yo |nosotros )?ya no (?!funciona|carga|compila|abre|va|responde"
            r"|arranca)(?P<old2>[^,.;]+)",
            r"\b(?:cambiamos|cambié|hemos cambiado|he cambiado|pasamos|pasé|hemos pasado"
            r"|he pasado|migramos|migré|hemos migrado)\b.{0,30}?\bde (?P<old3>.+?) a ",
            r"^(?!si\b).{3,80} en (?:vez|lugar) de (?P<old4>[^,.;]+)",
            r"\b(?:dejé|dejamos|he dejado|hemos dejado) de (?P<old5>[^,.;]+)",
            r"\bantes (?P<old6>[^,.;]+?),? (?:pero )?ahora\b",
            r"\b(?:(?:hemos|he) (?:sustituido|reemplazado)|sustituimos|reemplazamos)"
            r" (?P<old7>(?-i:[A-Z])[^,;]*?) (?:por|con) (?=(?-i:[A-Z]))",
        )
    ),
    question=against.QUESTION,
    hypothetical=against.HYPOTHETICAL,
    one_off=against.ONE_OFF,
    reported=against.REPORTED,
    passing=against.PASSING,
    polite=any_of(
        (
            r"^¿?(?:por favor,? )?(?:puedes|podrías|me puedes) (?:recordar|apuntar|anotar"
            r"|guardar|tener en cuenta) (?:que|:)",
        )
    ),
    first_person=any_of(
        (
            r"\b(?:yo|mi|mis|me|soy|tengo|vivo|trabajo|prefiero|tomo|como|uso|\w+é"
            r"|dejé|voy)\b",
        )
    ),
    speaker=any_of(
        (
            r"\b(?:yo|mi|mis|nuestr[oa]s?|soy|tengo|vivo)\b|\b(?!vamos|tenemos que|veamos"
            r"|podemos|queremos|sabemos)\w{2,}(?:amos|emos|imos)\b",
            r"^(?:(?:solo|sólo|siempre|nunca|también|ya|casi|normalmente|los|las|el|la|en|por"
            r"|de|lunes|martes|miércoles|jueves|viernes|sábados?|domingos?|noche|mañana|tarde"
            rf"|fines|semana) )*{NOT_A_HABIT}(?:\w{{3,}}(?<![aeiou])[o]|crecí|nací|estudié) ",
        )
    ),
    told=any_of(
        (
            r"(?:el|la|los|las|tod[oa]s (?:los|las)|cada) [\wáéíóúñ' -]{2,50} (?:está|están|es"
            r"|son|se) (?:escrit|construid|alojad|desplegad|gestiona|gestionad|guarda|guardad"
            r"|mantenid|desarrollad|publica|publicad|prohibid|aprobad|ubicad|factura)\w*",
            r"(?:quien|la persona que|el que|la que) .* (?:es|son)\b|(?:tod[oa]s (?:los|las)"
            r"|cada) [\wáéíóúñ' -]{2,50} (?:necesita|necesitan|debe|deben|requiere|requieren|va"
            r"|van)\b",
        )
    ),
    fleeting=against.FLEETING,
    attributes=(
        ("name", any_of((r"me llamo|mi nombre es|llámame",))),
        (
            "home",
            any_of(
                (
                    r"(?:ahora )?(?:vivo|vivimos) en|(?:me|nos) (?:he |hemos )?(?:mud\w+"
                    r"|traslad\w+)(?= (?:de .+? )?a )|.*(?:nos mudamos|me mudé)(?= (?:de .+? )?a )",
                )
            ),
        ),
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
    subject=any_of(
        (
            r"(?:el|la|los|las|nuestr\w+)?\s*(?P<subject>.+?)\s+(?:es|son|está|están|se"
            r"|tiene|usa)\b",
        )
    ),
)
