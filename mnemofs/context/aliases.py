"""What a question may call a thing whose key is English, in the languages people ask in.

Generic terms of projects, no names. A Latin word of four letters and more matches the beginning of
a word ("deploy" finds "deployments"), a shorter one the word; other scripts match anywhere.
"""

from __future__ import annotations

from mnemofs.records import Record


class Alias(Record):
    """terms of a question → parts of a key, or a whole type of entries."""

    terms: tuple[str, ...]
    keys: tuple[str, ...]
    kind: str = ""


def _alias(terms: str, keys: str, kind: str = "") -> Alias:
    return Alias(tuple(term.replace("_", " ") for term in terms.split()), tuple(keys.split()), kind)


# English, Chinese, Japanese, German, Spanish, French; `_` stands for a space.
ALIASES = (
    _alias(
        "codename code_name 代号 代號 コードネーム deckname nombre_en_clave nom_de_code",
        "codename code_name code 代号",
    ),
    _alias(
        """tech_stack stack technolog framework 技术栈 技术 技術 テックスタック フレームワーク
        technik tecnolog""",
        "tech stack framework 技术 技術",
    ),
    _alias(
        """prefer favorite favourite style 偏好 喜好 喜欢 风格 風格 好み スタイル vorliebe bevorzug
        stil preferencia prefier estilo préfér""",
        "pref style favorite favourite 偏好 风格",
    ),
    _alias(
        """deadline due due_date 截止 期限 締め切り 締切 frist abgabe termin fecha_límite plazo
        échéance date_limite""",
        "deadline due date frist 截止 期限",
    ),
    _alias(
        """deploy release ship rollout 部署 发布 發布 上线 デプロイ リリース ausliefer veröffentlich
        desplieg lanzamiento publicar déploi livraison mise_en_production""",
        "deploy release ship rollout 部署 发布",
    ),
    _alias("repo repository 仓库 代码库 リポジトリ repositorio dépôt", "repo git source_code 仓库"),
    _alias(
        """database db 数据库 資料庫 データベース datenbank base_de_datos base_de_données""",
        "database db sql 数据库",
    ),
    _alias(
        """contact in_charge responsible 负责人 联系人 担当 連絡先 ansprechpartner zuständig
        contacto responsable encargad""",
        "contact owner maintainer lead 负责人",
    ),
    _alias(
        """meeting standup 会议 例会 会議 ミーティング besprechung treffen reunión réunion""",
        "meeting standup sync 会议",
    ),
    _alias(
        "budget cost price 预算 费用 費用 予算 kosten presupuesto coste costo coût",
        "budget cost price 预算",
    ),
    _alias(
        """link url docs documentation 文档 链接 ドキュメント リンク doku enlace documentación
        lien""",
        "url link doc wiki 文档",
    ),
    _alias("team 团队 團隊 チーム mannschaft equipo équipe", "team member 团队"),
    _alias("project 项目 專案 プロジェクト projekt proyecto projet", "", "project"),
)
