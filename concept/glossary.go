package concept

import (
	"strings"
	"sync"

	"github.com/strata-memory/strata/internal/text"
)

// glossaryEntry is a technical term under its English name, with what it is
// called in other languages. Words are written as in text.Words, so that phrases
// match across any spacing and punctuation.
type glossaryEntry struct {
	tag   string
	names string // separated by commas
}

// glossary holds terms that words alone would miss: phrases, short names, and
// names that differ between languages.
var glossary = []glossaryEntry{
	{"backup", "backup, backups, copia de seguridad, copias de seguridad, sauvegarde, sauvegardes, sicherung, sicherungskopie, datensicherung, 备份, 備份, バックアップ, 백업"},
	{"failover", "failover, fail over, conmutación por error, basculement, ausfallsicherung, 故障转移, フェイルオーバー, 장애 조치"},
	{"embedding", "embedding, embeddings, word vectors, incrustaciones, plongements, 嵌入向量, 词向量, 埋め込み, 임베딩"},
	{"gateway", "gateway, puerta de enlace, passerelle, 网关, 閘道, ゲートウェイ, 게이트웨이"},
	{"router", "router, routers, enrutador, routeur, 路由器, ルーター, 라우터"},
	{"network", "network, networks, networking, red local, réseau, réseaux, netzwerk, 网络, 網路, ネットワーク, 네트워크"},
	{"database", "database, databases, base de datos, bases de datos, base de données, bases de données, datenbank, datenbanken, 数据库, 資料庫, データベース, 데이터베이스"},
	{"deployment", "deployment, deployments, despliegue, déploiement, bereitstellung, 部署, デプロイ, 배포"},
	{"encryption", "encryption, cifrado, chiffrement, verschlüsselung, 加密, 暗号化, 암호화"},
	{"authentication", "authentication, autenticación, authentification, authentifizierung, 身份验证, 認証, 인증"},
	{"monitoring", "monitoring, monitoreo, supervision, überwachung, 监控, 監視, 모니터링"},
	{"load-balancer", "load balancer, load balancers, load balancing, balanceador de carga, répartiteur de charge, lastverteiler, 负载均衡, ロードバランサー, 로드 밸런서"},
	{"machine-learning", "machine learning, aprendizaje automático, apprentissage automatique, maschinelles lernen, 机器学习, 機械学習, 머신러닝, 기계 학습"},
	{"language-model", "language model, language models, llm, llms, modelo de lenguaje, modèle de langage, sprachmodell, 语言模型, 言語モデル, 언어 모델"},
	{"pull-request", "pull request, pull requests, merge request, merge requests, プルリクエスト, 풀 리퀘스트"},
	{"code-review", "code review, code reviews, revisión de código, revue de code, 代码审查, コードレビュー, 코드 리뷰"},
	{"api-key", "api key, api keys, clave de api, clé d'api, api schlüssel, api密钥, apiキー"},
	{"ci-cd", "ci cd, continuous integration, continuous delivery, integración continua, intégration continue, 持续集成, 継続的インテグレーション"},
	{"s3", "s3, amazon s3"},
	{"kv", "kv store, key value store"},
	{"vlan", "vlan, vlans"},
	{"dns", "dns"},
	{"vpn", "vpn"},
	{"gpt", "gpt, chatgpt"},
	{"openai", "openai"},
	{"glacier", "glacier"},
}

// glossaryName is one name of a glossary term: either words, found at word
// boundaries, or characters of a script without spaces, found anywhere.
type glossaryName struct {
	words, piece string
	tag          string
}

var glossaryNames = sync.OnceValue(func() []glossaryName {
	var out []glossaryName
	for _, e := range glossary {
		for _, name := range strings.Split(e.names, ", ") {
			if text.HasUnspaced(name) || isEastern(name) {
				out = append(out, glossaryName{piece: name, tag: e.tag})
			} else {
				out = append(out, glossaryName{words: " " + strings.Join(text.Words(name), " ") + " ", tag: e.tag})
			}
		}
	}
	return out
})

// glossaryHits returns the tags of the glossary terms in s, whose words are
// given, in order of first occurrence.
func glossaryHits(s string, words []string) []string {
	spaced := " " + strings.Join(words, " ") + " "
	lower := strings.ToLower(s)
	eastern := text.HasUnspaced(s) || isEastern(s)
	type hit struct {
		at  int
		tag string
	}
	var hits []hit
	for _, n := range glossaryNames() {
		at := -1
		switch {
		case n.words != "":
			at = strings.Index(spaced, n.words)
		case eastern:
			at = strings.Index(lower, n.piece)
		}
		if at >= 0 {
			hits = append(hits, hit{at, n.tag})
		}
	}
	// Few hits: insertion sort keeps the order of the table where offsets tie.
	for i := 1; i < len(hits); i++ {
		for j := i; j > 0 && hits[j].at < hits[j-1].at; j-- {
			hits[j], hits[j-1] = hits[j-1], hits[j]
		}
	}
	tags := make([]string, len(hits))
	for i, h := range hits {
		tags[i] = h.tag
	}
	return tags
}
