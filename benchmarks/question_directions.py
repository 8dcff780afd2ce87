"""Measures what all questions have in common for an embedder: `mnemofs/index/questions.py`.

    python benchmarks/question_directions.py

The mean of questions about oneself and that of questions about others, over many topics and
languages so that only the asking remains. Prints the constant of that module.
"""

from __future__ import annotations

import base64
import textwrap

import numpy as np
from numpy.typing import NDArray

from mnemofs.index.sentence_encoder import SentenceEncoder

MINE = """
What is my shoe size?
Where did I park the bike?
Which doctor do I see for my knee?
How much do I spend on phone bills?
When does my gym membership end?
Who lent me the ladder?
Which editor theme do I like?
How should dates be written for me?
Where do we keep the spare key?
What port does our staging server listen on?
Who maintains our billing code?
Why did we drop the old queue?
Welche Schuhgröße habe ich?
Wo habe ich das Fahrrad abgestellt?
Zu welchem Arzt gehe ich wegen der Schulter?
Wie viel zahle ich für das Telefon?
Wann läuft mein Vertrag aus?
Wer hat mir die Leiter geliehen?
Welche Farbe mag ich am liebsten?
Wie soll man mir schreiben?
Wo liegt unser Ersatzschlüssel?
Wer pflegt unsere Abrechnung?
Warum haben wir das alte System aufgegeben?
¿Qué talla de zapatos uso?
¿Dónde aparqué el coche?
¿A qué médico voy por la espalda?
¿Cuánto gasto en teléfono?
¿Cuándo termina mi contrato?
¿Quién me prestó la escalera?
¿Qué color prefiero?
¿Cómo hay que escribirme?
¿Dónde guardamos la llave de repuesto?
¿Quién mantiene nuestra facturación?
¿Por qué dejamos el sistema antiguo?
Quelle est ma pointure ?
Où ai-je garé le vélo ?
Quel médecin me suit pour le dos ?
Combien je dépense pour le téléphone ?
Quand finit mon abonnement ?
Qui m'a prêté l'échelle ?
Quelle couleur est-ce que je préfère ?
Où gardons-nous la clé de secours ?
Pourquoi avons-nous abandonné l'ancien système ?
我穿多大的鞋?
我把自行车停在哪里?
我看膝盖找哪位医生?
我每月电话费多少钱?
我的会员什么时候到期?
谁借给我梯子?
我最喜欢什么颜色?
应该怎么给我写信?
我们的备用钥匙在哪里?
谁负责我们的计费代码?
我们为什么放弃旧系统?
私の靴のサイズは?
自転車をどこに停めましたか?
膝はどの医者に診てもらっていますか?
電話代は毎月いくらですか?
会員の期限はいつまでですか?
はしごを貸してくれたのは誰?
一番好きな色は何ですか?
合鍵はどこに置いていますか?
課金のコードは誰が管理していますか?
古いシステムをやめたのはなぜ?
Qual é o meu número de sapato?
Onde deixei a bicicleta?
Quando acaba o meu contrato?
Какой у меня размер обуви?
Где я оставил велосипед?
Когда заканчивается мой договор?
내 신발 사이즈는 얼마인가요?
자전거를 어디에 세웠나요?
내 계약은 언제 끝나나요?
"""
THEIRS = """
What did Tom buy at the market?
When did Sarah start her new job?
Where does Daniel's brother live?
Who did Emma meet at the airport?
Why was Peter late for the concert?
How did Julia learn to swim?
Which book did Michael recommend?
What kind of car does Laura drive?
How many cousins does Kevin have?
What does Anna think about the plan?
When is Robert going to visit his parents?
What are Lisa's hobbies?
How long has Mark been married?
What did the neighbours complain about?
Would Nina enjoy living abroad?
Was hat Thomas auf dem Markt gekauft?
Wann hat Sabine ihre neue Stelle angefangen?
Wo wohnt der Bruder von Daniel?
Warum kam Peter zu spät?
Welches Buch hat Michael empfohlen?
¿Qué compró Tomás en el mercado?
¿Cuándo empezó Sara su nuevo trabajo?
¿Dónde vive el hermano de Daniel?
¿Por qué llegó tarde Pedro?
¿Qué libro recomendó Miguel?
Qu'est-ce que Thomas a acheté au marché ?
Quand Sarah a-t-elle commencé son travail ?
Où habite le frère de Daniel ?
Pourquoi Pierre était-il en retard ?
小王在市场买了什么?
小李什么时候开始新工作?
小张的哥哥住在哪里?
老赵为什么迟到?
田中さんは市場で何を買いましたか?
鈴木さんはいつ新しい仕事を始めましたか?
佐藤さんのお兄さんはどこに住んでいますか?
山本さんはなぜ遅れたのですか?
O que o Tomás comprou no mercado?
Что Иван купил на рынке?
민수는 시장에서 무엇을 샀나요?
"""


def mean(encoder: SentenceEncoder, questions: str) -> NDArray[np.float32]:
    """The mean direction of these questions, one a line."""
    vectors = encoder.embed(questions.strip().split("\n"))
    unit: NDArray[np.float32] = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    mean: NDArray[np.float32] = unit.mean(axis=0)
    return mean


def main() -> None:
    """Prints the rows as int8, each scaled to its largest number."""
    encoder = SentenceEncoder()
    rows = np.stack([mean(encoder, MINE), mean(encoder, THEIRS)])
    packed = np.rint(rows / np.abs(rows).max(axis=1, keepdims=True) * 127).astype(np.int8)
    text = base64.b64encode(packed.tobytes()).decode()
    print(encoder.id)
    print("\n".join(textwrap.wrap(text, 92)))


if __name__ == "__main__":
    main()
