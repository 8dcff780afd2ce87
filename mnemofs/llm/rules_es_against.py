"""Spanish for the rules engine: what speaks against a lasting statement."""

from __future__ import annotations

from mnemofs.llm.rules_grammar import any_of

KEEP_OUT = any_of(
    (
        r"\bno (?:lo |la |me )?(?:recuerdes|guardes|anotes|apuntes|memorices|registres"
        r"|guarde|recuerde|anote)\b(?! que siempre)|\bsin guardar(?:lo)?\b"
        r"|\bentre (?:tú y yo|nosotros)\b|\bolvida (?:eso|esto|lo que|que)\b"
        r"|\bextraoficialmente\b",
        r"\b(?:es broma|era broma|de broma|imagina que|finge|haz como si|en (?:la|mi|el"
        r"|un) (?:historia|novela|cuento|juego|película|sueño))\b",
    )
)
QUESTION = any_of(
    (
        r"[?¿]",
        r"^(?:qué|por qué|cómo|quién|cuál|cuáles|dónde|cuándo|cuánto|puedes|podrías"
        r"|me puedes|sabes|hay|es cierto|deberíamos|debería|tengo que preguntar|dime (?:qué"
        r"|cómo|si|cuál))\b",
        r"^(?:me pregunto|no sé si|no estoy segur[oa])",
    )
)
HYPOTHETICAL = any_of(
    (
        r"^si (?:yo |nosotros )?\w+(?:ara|era|iera|iese|ase|áramos|iéramos|éramos)\b"
        r"|\bsi (?:viviera|fuera|tuviera|pudiera|decidiéramos)\b|\b\w+(?:aría|ería|iría"
        r"|aríamos|eríamos|iríamos)\b",
        r"\b(?:supón|supongamos|imagina|imaginemos|imagínate|pongamos que|digamos que"
        r"|por ejemplo|p\. ?ej\.|quizás?|tal vez|a lo mejor|puede que|ojalá"
        r"|estoy pensando en|pienso (?:dejar|en))\b",
    )
)
ONE_OFF = any_of(
    (
        r"\b(?:solo|sólo)? ?(?:por |en )?esta (?:vez|respuesta|ocasión|pregunta|tarea)\b"
        r"|\b(?:en|para) est[ea] (?:respuesta|mensaje|pregunta|caso|tarea|correo|chat)\b"
        r"|\bpor (?:ahora|hoy|el momento)\b|\bde momento\b|\bsolo hoy\b|\btemporalmente\b"
        r"|\bahora mismo\b",
        r"\b(?:primera|segunda|tercera|última|otra) (?:versión|opción|propuesta|variante)\b"
        r"|^(?:quisiera|me gustaría|quiero|necesito) (?:un|una|ver|saber)\b",
    )
)
REPORTED = any_of(
    (
        r"\b(?!yo\b)\w+ (?:(?:siempre|me|nos|nunca) )*(?:dijo|dice|dicen|cree|creen|piensa"
        r"|piensan|opina|afirma|asegura|escribió|escribe|contó|cuenta|comentó|preguntó"
        r"|sostiene)\b",
        r"^(?:dicen|dice|dijo|cuentan|he oído|oí|según|al parecer|por lo visto|parece que)\b"
        r"|\b(?:según|supuestamente|al parecer|por lo visto)\b",
    )
)
PASSING = any_of(
    (
        r"\b(?:contigo|para ti|en ello|en eso|de eso|est[oa]s momentos|adelante|en contra)\b"
        r"|\b(?:echo de menos"
        r"|disfruto|siempre digo|me alegr\w+|paciencia|corazón|l[oa]s mejores|un éxito"
        r"|lo más importante"
        r"|algo nuevo)\b",
        r"\btengo (?:much[ao] |un poco de |tant[ao] )?(?:hambre|sed|sueño|frío|calor|prisa|ganas"
        r"|miedo|que"
        r"|una (?:pregunta|duda|idea)|dudas)\b|\btengo mucho que\b",
        r"\b(?:estoy|estamos|está|están) (?:casi |muy |ya |un poco |de )*(?:mal humor|buen humor"
        r"|list[oa]s?"
        r"|cansad[oa]s?|dormid[oa]s?|frí[oa]s?|ocupad[oa]s?|content[oa]s?|feliz|felices"
        r"|aburrid[oa]s?"
        r"|perdid[oa]s?|de vuelta|(?!aprend|estudi|vivi|trabaj|cri|entren)\w+(?:ando|iendo))\b",
        r"\bnos vemos\b|\bmi (?:día|semana|fin de semana|viaje|vuelo|clase|reunión) fue\b"
        r"|\btuv(?:e|imos) (?:mala"
        r" )?suerte\b|\bel tiempo vuela\b|\b(?:ha|han) terminado\b|\bse acabó\b",
        r"^(?:tomo|bebo|como|leo|escucho|miro|veo) (?:una?|música|la tele)\b(?!.*\b(?:cada|siempre"
        r"|todos|todas"
        r"|por las?|los|a diario|nunca)\b)",
        r"\b(?:error(?:es)?|excepción|fallo|falla|fallan|fallando|roto|rota|bug|atascad[oa]"
        r"|caíd[oa]|colgad[oa]|tiempo de espera|no (?:funciona|carga|abre|compila"
        r"|arranca|responde|va|encuentro|puedo (?:ver|abrir|encontrar|entrar|conectar)))\b",
        r"\b(?:hoy|esta (?:mañana|tarde|noche|semana)|ahora mismo|ayer|anoche)\b"
        r"|\bun poco (?:cansad|enferm|perdid|ocupad|confundid)\w*|\b(?:estoy"
        r"|me siento) (?:cansad|enferm|perdid|ocupad|confundid|content|triste|segur|list)\w*"
        r"|\b(?:es|son|está|están|fue|estoy|era) (?:muy |tan |súper |realmente )*(?:genial"
        r"|buen|mal[oa]|increíble|bonit|guay|divertid|fantástic|perfect|emocionad|content"
        r"|maravillos|difícil|estupend|bien\b)\w*",
    )
)
FLEETING = any_of(
    (
        r"\b(?:tú|tu|tus|te|ti|usted|esto|eso|est[ea]s?|es[ea]s?|aquí|allí|ahí|él|ella|ellos"
        r"|ellas|lo|vamos|quizás?|tal vez|gracias|ejemplo|perdón|acabo|acabamos|poder|hemos"
        r"|he|había|iba|estaba)\b",
        r"\b(?:pienso|creo|sé|veo|quiero|necesito|puedo|debo|espero|entiendo|encuentro|busco"
        r"|intento|pruebo|ejecuto|abro|hago|digo|pido|pregunto|recibo|obtengo|pulso"
        r"|escribo un|envío|mando|recuerdo|olvido|supongo"
        r"|imagino|agradezco|dudo|siento|voy a|vengo|estoy|refiero|añado|cambio|borro|copio"
        r"|pego|instalo|importo|lanzo|inicio|queremos|podemos|tenemos que|tengo que|vemos"
        r"|necesitamos|pensamos|creemos|hicimos|vimos|fuimos|pasamos)\b",
        r"\b(?:preguntas?|problemas?|funci(?:ón|ones)|listas?|archivos?|ficheros?|scripts?"
        r"|tablas?|clases? de|métodos?|bucles?|columnas?|filas?|variables?|csv|json|páginas?"
        r"|formularios?|párrafos?|idea|dudas?|momento|borrador|botón"
        r"|salida|entrada|avisos?|paso|código|opinión|parte|razón|segunda|primera|genial"
        r"|divertido|otra vez|de nuevo)\b|\b(?:yo )?\w+(?:é|í)\b(?! (?:en|cuando|de niñ))",
    )
)
