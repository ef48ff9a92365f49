package concept

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

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
	rank     int // in the table
	words    []string
	unspaced string
	tag      string
}

// glossaryIndex holds the names by what they begin with.
type glossaryIndex struct {
	byWord map[string][]glossaryName
	byRune map[rune][]glossaryName
}

var glossaryNames = sync.OnceValue(func() *glossaryIndex {
	ix := &glossaryIndex{byWord: map[string][]glossaryName{}, byRune: map[rune][]glossaryName{}}
	rank := 0
	for _, e := range glossary {
		for name := range strings.SplitSeq(e.names, ", ") {
			n := glossaryName{rank: rank, tag: e.tag}
			rank++
			if text.HasUnspaced(name) || isEastern(name) {
				n.unspaced = name
				r, _ := utf8.DecodeRuneInString(name)
				ix.byRune[r] = append(ix.byRune[r], n)
			} else {
				n.words = text.Words(name)
				ix.byWord[n.words[0]] = append(ix.byWord[n.words[0]], n)
			}
		}
	}
	return ix
})

// glossaryHit is the first occurrence of a name.
type glossaryHit struct {
	at   int // in bytes, of the words joined by spaces or of the text
	name glossaryName
}

// glossaryHits returns the tags of the glossary terms in s, which r is, in order of first occurrence; at one place in order of the table.
func glossaryHits(s string, r analysis) []string {
	var hits []glossaryHit
	add := func(at int, n glossaryName) {
		if !slices.ContainsFunc(hits, func(h glossaryHit) bool { return h.name.rank == n.rank }) {
			hits = append(hits, glossaryHit{at, n})
		}
	}
	at := 0
	for i, w := range r.known {
		for _, n := range w.names {
			if end := i + len(n.words); end <= len(r.words) && slices.Equal(r.words[i:end], n.words) {
				add(at, n)
			}
		}
		at += len(r.words[i]) + 1
	}
	if !text.IsASCII(s) && (text.HasUnspaced(s) || isEastern(s)) {
		ix, lower := glossaryNames(), strings.ToLower(s)
		for i, r := range lower {
			for _, n := range ix.byRune[r] {
				if strings.HasPrefix(lower[i:], n.unspaced) {
					add(i, n)
				}
			}
		}
	}
	if len(hits) == 0 {
		return nil
	}
	slices.SortFunc(hits, func(a, b glossaryHit) int { return cmp.Or(a.at-b.at, a.name.rank-b.name.rank) })
	tags := make([]string, len(hits))
	for i, h := range hits {
		tags[i] = h.name.tag
	}
	return tags
}
