package concept

// topicWords is a topic and the words that speak for it. The words of clear and
// vague are in English, Spanish, French and German, in a basic form: inflected
// English forms match through stemming. The words of east are in Chinese,
// Japanese and Korean and match anywhere in a text.
type topicWords struct {
	name  string
	clear string
	vague string
	east  string
}

// topicTable lists everyday life and work. What matters is that texts of one
// subject get one name, and that no subject swallows the others; so words that
// belong to many subjects are vague or left out.
var topicTable = []topicWords{
	{"pets",
		`pet cat kitten kitty dog puppy pup hamster parrot rabbit bunny goldfish guinea turtle aquarium veterinarian vet leash litterbox paw meow bark
		 gato gata gatito perro perra cachorro mascota loro conejo veterinario chaton chatte minou chien chienne chiot lapin hamster perroquet vétérinaire
		 katze katzen kater kätzchen hund hunde welpe haustier kaninchen papagei tierarzt`,
		`animal fish bird tail fur breed adopt shelter groom feed animales oiseau vogel tier tiere`,
		`猫 狗 宠物 寵物 小狗 小猫 兔子 仓鼠 金鱼 鹦鹉 兽医 犬 ペット 子猫 子犬 うさぎ ハムスター 金魚 獣医 고양이 강아지 반려동물 애완동물 토끼 햄스터 수의사`},
	{"family",
		`family mother father mom mum dad mommy daddy parent sister brother sibling son daughter grandma grandpa grandmother grandfather grandparent aunt uncle cousin nephew niece
		 kid kids child children baby toddler newborn pregnant pregnancy parenting stepmother stepfather twins
		 familia madre padre mamá papá hermano hermana hijo hija abuela abuelo tía tío primo prima sobrina sobrino niños bebé embarazada
		 famille mère père maman sœur frère fils fille enfant enfants grand-mère cousine neveu nièce bébé enceinte
		 familie mutter vater mama papa schwester bruder tochter sohn eltern oma opa großmutter großvater tante onkel kind kinder enkel baby schwanger`,
		`relative raise born generation heritage ancestor home`,
		`家庭 家人 妈妈 媽媽 爸爸 母亲 父亲 姐姐 妹妹 哥哥 弟弟 儿子 女儿 奶奶 爷爷 孩子 婴儿 家族 母親 父親 お母さん お父さん 息子 娘 兄弟 姉妹 祖母 祖父 子供 子ども 赤ちゃん 가족 엄마 아빠 어머니 아버지 언니 누나 오빠 아들 동생 할머니 할아버지 아이들 아기`},
	{"friends",
		`friend friendship buddy bestie pal roommate flatmate neighbor neighbour acquaintance
		 amigo amiga amistad vecino vecina ami amie amitié voisin voisine copain copine colocataire
		 freund freunde freundin freundschaft nachbar nachbarin mitbewohner kumpel`,
		`hangout gathering together reunion circle trust`,
		`朋友 友谊 室友 邻居 閨蜜 友達 友人 親友 隣人 ルームメイト 친구 우정 이웃 룸메이트`},
	{"relationships",
		`husband wife spouse boyfriend girlfriend fiancé fiancée marry married marriage wedding engaged divorce divorced breakup dating romance romantic anniversary honeymoon proposal
		 esposo esposa marido novio novia boda casado casada matrimonio divorcio aniversario
		 mari épouse époux mariage marié mariée fiancé divorce rupture anniversaire
		 ehemann ehefrau ehe verheiratet hochzeit heiraten verlobt scheidung geschieden hochzeitstag`,
		`partner relationship date couple love single commitment pareja pareille beziehung partnerschaft`,
		`结婚 婚礼 婚姻 老公 老婆 丈夫 妻子 男朋友 女朋友 恋爱 离婚 結婚 夫婦 彼氏 彼女 恋人 離婚 婚約 결혼 남편 아내 남자친구 여자친구 연애 이혼 약혼`},
	{"health",
		`health healthy doctor hospital clinic nurse medicine medication pill prescription symptom illness sick disease allergy allergic asthma diabetes cancer surgery injury injured pain headache migraine fever flu covid vaccine vaccination dentist dental
		 diagnosis therapy therapist therapeutic counseling counselor anxiety depression insomnia blood pressure cholesterol rehab recovery wellness
		 salud médico médica enfermo enferma enfermedad alergia alérgico alérgica medicina dolor cirugía vacuna dentista
		 santé médecin malade maladie allergie allergique médicament douleur chirurgie vaccin dentiste hôpital
		 gesundheit arzt ärztin krank krankheit krankenhaus allergisch medikament schmerzen operation impfung zahnarzt therapie`,
		`checkup patient treatment heal mental sleep vitamin diet weight breathe stress rest pharmacy insulin`,
		`健康 医生 医院 生病 过敏 過敏 药物 吃药 手术 疫苗 牙医 头痛 病院 医者 病気 アレルギー 薬 手術 頭痛 風邪 歯医者 ワクチン 건강 의사 병원 알레르기 약국 수술 두통 감기 백신 치과`},
	{"fitness",
		`fitness gym workout exercise yoga pilates jog jogging cardio treadmill marathon stretch squat deadlift calisthenics crossfit
		 gimnasio ejercicio entrenamiento gymnase musculation entraînement fitnessstudio turnen workouts`,
		`running runner run trainer strength muscle mile lap steps weights lift sweat routine correr courir laufen`,
		`健身 锻炼 鍛煉 瑜伽 跑步 马拉松 筋トレ ヨガ ジム 運動 マラソン ジョギング 운동 헬스장 요가 마라톤 조깅`},
	{"food",
		`food eat eating cook cooking cuisine recipe breakfast lunch dinner supper brunch meal snack dessert restaurant cafe coffee tea wine beer bake baking baker bakery cake cookie chocolate bread pizza pasta salad soup sushi taco cheese vegetarian vegan chef kitchen ingredient delicious tasty yummy flavor spicy grill barbecue bbq
		 comida comer cocinar cocina receta desayuno almuerzo cena restaurante café pastel vegetariano vegetariana vegano vegana sabor postre queso vino cerveza
		 nourriture manger cuisiner cuisine recette déjeuner dîner goûter gâteau végétarien végétarienne végétalien fromage vin bière boulangerie
		 essen kochen küche rezept frühstück mittagessen abendessen kuchen vegetarisch vegetarier veganer käse wein bier brot kaffee lecker bäckerei`,
		`taste dish drink fruit vegetable meat chicken beef fish rice egg milk sugar juice apple banana tomato potato hungry menu order smoothie`,
		`食物 吃饭 做饭 美食 早餐 午餐 晚餐 餐厅 咖啡 素食 蛋糕 巧克力 菜谱 烹饪 食べ物 料理 朝食 昼食 夕食 ご飯 レストラン コーヒー お茶 ケーキ 野菜 寿司 レシピ 음식 요리 아침식사 점심 저녁식사 식당 커피 채식 케이크 레시피`},
	{"travel",
		`travel trip vacation journey flight airport hotel hostel passport visa luggage suitcase tourist tourism sightseeing itinerary cruise backpacking roadtrip airbnb
		 viaje viajar vacaciones vuelo aeropuerto equipaje pasaporte turista
		 voyage voyager vacances vol aéroport hôtel bagage passeport touriste
		 reise reisen urlaub flug flughafen gepäck reisepass koffer ferien tourist`,
		`abroad explore visit destination fly train ticket booking map beach island tour adventure landmark souvenir playa plage strand`,
		`旅行 旅游 度假 航班 机场 酒店 护照 签证 行李 観光 空港 飛行機 ホテル パスポート 旅館 여행 휴가 비행기 공항 호텔 여권 관광`},
	{"outdoors",
		`camping camp campfire campsite hike hiking hiker trail mountain forest woods lake river waterfall canyon kayak kayaking canoe fishing climbing wilderness tent wildlife birdwatching
		 senderismo montaña bosque acampar randonnée montagne forêt camper wandern wanderung wald zelten gebirge`,
		`nature outdoors outdoor sunset sunrise ocean sea park scenery view stars sky berg see lac lago río`,
		`露营 爬山 登山 徒步 森林 钓鱼 キャンプ ハイキング 釣り 自然 등산 캠핑 낚시 하이킹`},
	{"environment",
		`environment environmental climate sustainability sustainable recycling recycle pollution emissions conservation ecosystem biodiversity endangered renewable carbon
		 medioambiente sostenible reciclaje contaminación environnement écologie durable pollution recyclage umwelt umweltschutz nachhaltig klimawandel`,
		`green solar planet earth plastic waste energy`,
		`环保 气候变化 污染 可持续 環境 気候変動 リサイクル 환경 기후변화 재활용`},
	{"weather",
		`weather rain rainy raining snow snowy snowing storm thunderstorm hurricane tornado forecast humidity sunny cloudy windy heatwave drizzle fog foggy
		 lluvia llover nieve tormenta pronóstico soleado nublado pluie neige météo orage ensoleillé nuageux
		 wetter regen regnet schnee schneit sturm gewitter sonnig bewölkt wettervorhersage`,
		`temperature degree cold hot warm wind sun winter summer spring autumn fall celsius fahrenheit tiempo clima`,
		`天气 下雨 下雪 台风 气温 天気 雨 雪 台風 気温 梅雨 날씨 눈이 폭우 태풍 기온`},
	{"home",
		`house apartment flat bedroom bathroom living-room furniture couch sofa rent landlord tenant mortgage renovation renovate remodel decor decorate plumbing plumber laundry vacuum housework chore cleaning dishwasher appliance
		 casa apartamento piso alquiler muebles hogar dormitorio mudanza maison appartement loyer meubles logement déménagement
		 haus wohnung miete möbel umzug umziehen vermieter schlafzimmer badezimmer haushalt`,
		`move room kitchen door window roof floor wall paint repair neighborhood cozy candle lamp table chair bed`,
		`房子 公寓 租房 房租 家具 装修 搬家 打扫 家賃 引っ越し 部屋 マンション 掃除 洗濯 집 아파트 월세 가구 이사 청소`},
	{"garden",
		`garden gardening gardener plant flower seed seedling lawn mow compost soil greenhouse bouquet rose tulip orchid sunflower succulent herb bonsai prune
		 jardín jardinería planta flores jardin jardinage plante fleur garten gärtnern pflanze pflanzen blume blumen`,
		`grow bloom tree leaf water vegetables harvest árbol arbre baum`,
		`花园 园艺 种花 植物 浇水 鲜花 庭 ガーデニング 園芸 花 植木 정원 식물 꽃 원예 화분`},
	{"money",
		`money budget salary wage savings invest investment investor stock stocks bond loan debt tax taxes bank banking insurance pension retirement credit-card invoice expense income finance financial crypto bitcoin dividend payroll
		 dinero presupuesto sueldo salario ahorro ahorrar inversión impuesto impuestos préstamo deuda banco factura
		 argent épargne salaire impôt impôts investissement banque prêt dette facture
		 geld gehalt sparen steuer steuern aktie aktien bank kredit schulden versicherung rechnung haushaltsplan`,
		`pay paid payment cost price expensive cheap dollar euro afford fund economy fee spend cash bill account`,
		`钱 工资 预算 存款 投资 股票 税 贷款 银行 保险 发票 お金 給料 予算 貯金 投資 株 税金 銀行 保険 請求書 돈 월급 예산 저축 투자 주식 세금 은행 대출 보험`},
	{"shopping",
		`shop shopping mall grocery groceries supermarket discount coupon checkout amazon ebay boutique retailer wishlist refund
		 compras comprar tienda supermercado descuento courses acheter magasin supermarché soldes
		 einkaufen einkauf kaufen supermarkt rabatt laden`,
		`buy bought purchase store sale gift present order cart deal brand delivery regalo cadeau geschenk`,
		`购物 买东西 超市 商店 打折 优惠券 買い物 スーパー 割引 お店 通販 쇼핑 마트 할인 쿠폰`},
	{"fashion",
		`fashion clothes clothing dress outfit shirt t-shirt jeans sweater jacket coat shoe shoes boots sneakers jewelry necklace bracelet earring hairstyle haircut makeup tattoo wardrobe perfume
		 ropa vestido zapatos camisa moda joyas vêtement vêtements robe chaussures chemise bijoux coiffure
		 kleidung kleid schuhe hemd mode schmuck frisur jacke`,
		`wear wore hat ring style bag scarf hair trend designer color colour`,
		`衣服 裙子 鞋子 时尚 首饰 发型 化妆 服 靴 ファッション 髪型 化粧 옷 신발 패션 화장 머리스타일`},
	{"school",
		`school student teacher class classroom homework exam university college campus degree lecture professor course tuition graduate graduation graduated semester kindergarten thesis dissertation scholarship syllabus diploma curriculum tutor tutoring phd bachelor
		 escuela estudiante profesor profesora universidad examen deberes maestra maestro curso école étudiant étudiante université examen devoirs professeur lycée
		 schule schüler schülerin lehrer lehrerin universität studium studieren studentin prüfung hausaufgaben abitur vorlesung`,
		`study studies learn learning education grade lesson test workshop training academy library aprender apprendre lernen`,
		`学校 学生 老师 大学 考试 作业 毕业 教授 课程 先生 授業 試験 宿題 卒業 高校 학교 학생 선생님 대학교 시험 숙제 졸업 수업`},
	{"career",
		`career job employer employee employment interview resume résumé cv promotion promoted hire hired hiring fired layoff unemployed recruiter internship intern apprentice coworker colleague boss manager freelance freelancer entrepreneur startup occupation profession
		 trabajo empleo carrera entrevista ascenso jefe jefa colega empleado emploi carrière entretien embauche patron collègue stagiaire métier
		 beruf arbeit arbeitsplatz karriere vorstellungsgespräch bewerbung beförderung chef chefin kollege kollegin praktikum`,
		`work office business client customer company firm role position professional shift retire skill mentor networking empresa entreprise firma`,
		`工作 职业 面试 简历 升职 老板 同事 公司 实习 辞职 仕事 会社 就職 転職 面接 上司 同僚 昇進 직장 직업 회사 면접 이력서 승진 상사 동료 취업`},
	{"business",
		`marketing advertisement advertising sales revenue profit branding ecommerce storefront wholesale inventory franchise stakeholder b2b crm campaign
		 ventas negocio negocios mercadotecnia ventes chiffre-d'affaires umsatz vertrieb geschäft unternehmen verkauf`,
		`business market product strategy partner supplier launch contract growth clients promote pitch studio store grand opening`,
		`营销 销售 生意 商业 利润 市场 営業 売上 起業 ビジネス マーケティング 사업 매출 마케팅 영업`},
	{"music",
		`music song sing singer singing band album concert guitar piano violin drum drums melody orchestra choir lyrics musician spotify playlist jazz hip-hop rap rapper opera saxophone clarinet cello ukulele vinyl karaoke
		 música canción cantar cantante guitarra concierto banda musique chanson chanter chanteur chanteuse guitare violon orchestre
		 musik lied singen sänger sängerin gitarre klavier konzert geige schlagzeug chor`,
		`listen rock classical beat tune festival instrument record tour perform performance artist stage`,
		`音乐 唱歌 歌曲 歌手 吉他 钢琴 演唱会 音楽 歌 ギター ピアノ コンサート 歌う バンド 음악 노래 가수 기타를 피아노 콘서트 밴드`},
	{"art",
		`art artist painting painter drawing sketch sculpture pottery ceramics gallery museum exhibit exhibition watercolor canvas illustration illustrator photography photographer photograph mural calligraphy crochet knitting embroidery origami
		 arte pintura pintar dibujo museo fotografía peinture peindre dessin musée photographie exposition
		 kunst malerei malen gemälde zeichnung zeichnen museum fotografie künstler ausstellung`,
		`paint draw creative creativity design photo picture camera craft color abstract self-expression`,
		`艺术 绘画 画画 摄影 博物馆 美术 芸術 絵画 写真 美術館 絵を描 陶芸 예술 그림 사진 미술관 박물관 도자기`},
	{"books",
		`book novel author reading bookshop bookstore poetry poem poet fiction nonfiction memoir biography literature chapter paperback ebook kindle bookshelf storytelling
		 libro novela leer lectura poesía autor autora livre roman lire lecture poésie auteur bibliothèque
		 buch bücher lesen autor autorin gedicht lyrik bibliothek literatur`,
		`read story write writer writing library series fantasy page publish journal`,
		`书 小说 读书 阅读 作家 诗歌 图书馆 本を 読書 小説 作者 図書館 詩 책을 소설 독서 작가 도서관`},
	{"movies",
		`movie film cinema actor actress netflix hollywood screenplay screenwriter screenwriting filmmaker director trailer sitcom anime documentary blockbuster oscar tv television
		 película cine actriz televisión cinéma acteur actrice télévision réalisateur
		 kino schauspieler schauspielerin fernsehen regisseur spielfilm filme`,
		`watch watched show episode series season scene script character plot streaming superhero serie`,
		`电影 演员 导演 电视剧 动漫 映画 俳優 ドラマ アニメ 監督 영화 배우 드라마 애니메이션`},
	{"games",
		`videogame gamer gaming playstation xbox nintendo steam minecraft chess esports boardgame rpg multiplayer console puzzle poker dungeon zelda tournament quest
		 videojuego videojuegos ajedrez jeux jeu échecs spiele spiel videospiel schach konsole brettspiel`,
		`game play player level controller card dice level score juego joueur spielen virtual`,
		`游戏 电子游戏 象棋 围棋 ゲーム 任天堂 将棋 囲碁 게임 체스 바둑`},
	{"sports",
		`sport sports football soccer basketball tennis baseball hockey golf rugby cricket volleyball swim swimming swimmer cycling cyclist bike biking bicycle ski skiing snowboard surfing surf skate skateboard boxing athlete olympics league championship stadium coach goalkeeper nba nfl fifa
		 fútbol baloncesto tenis natación nadar ciclismo deporte equipo bicicleta natation nager vélo cyclisme équipe
		 fußball schwimmen tennis fahrrad radfahren sportverein mannschaft handball skifahren`,
		`team match win won score race championship goal season player game court practice training kick`,
		`运动 足球 篮球 网球 游泳 自行车 滑雪 棒球 サッカー 野球 バスケ テニス 水泳 自転車 スキー 축구 야구 농구 테니스 수영 자전거 스키`},
	{"dance",
		`dance dancer dancing ballet salsa tango choreography choreographer ballroom
		 baile bailar bailarina danse danser danseuse tanz tanzen tänzer tänzerin`,
		`studio rehearsal stage performance rhythm`,
		`跳舞 舞蹈 ダンス 踊り バレエ 춤 무용 댄스`},
	{"hobbies",
		`hobby pastime knit sew sewing quilting woodworking carpentry scrapbooking collecting collector stamps lego crafting diy astronomy telescope
		 afición aficiones pasatiempo costura passe-temps loisir loisirs couture bricolage
		 hobby hobbys freizeit basteln nähen stricken handarbeit`,
		`craft leisure club enjoy interest activity build collection fun relax unwind`,
		`爱好 兴趣 手工 收藏 趣味 手芸 編み物 취미 뜨개질 수집`},
	{"celebrations",
		`birthday party celebrate celebration christmas easter thanksgiving halloween hanukkah diwali ramadan eid holiday holidays festival parade fireworks new-year baby-shower
		 cumpleaños fiesta navidad celebrar pascua anniversaire fête noël pâques réveillon
		 geburtstag feier feiern weihnachten ostern silvester fest`,
		`gift present invite invitation guest balloon surprise cake tradition toast costume anniversary`,
		`生日 派对 圣诞 春节 过年 节日 庆祝 誕生日 パーティー クリスマス 正月 お祝い 祭り 생일 파티 크리스마스 설날 추석 축하`},
	{"feelings",
		`feeling emotion emotional angry anger sad sadness lonely loneliness grief grieve mourn afraid fear scared frustrated frustration overwhelmed proud grateful gratitude jealous guilty nervous excited excitement hopeful heartbroken cry self-esteem self-care mindfulness meditation meditate
		 triste tristeza feliz enojado miedo orgulloso nervioso sentimiento heureux heureuse colère peur fier fière nerveux sentiment tristesse
		 traurig glücklich wütend angst stolz nervös gefühl gefühle einsam dankbar`,
		`happy happiness joy calm stress stressed worried worry upset inspire inspiring motivation confidence courage strength peace comfort hug tough struggle challenge encourage encouragement`,
		`难过 开心 生气 害怕 孤独 焦虑 感动 感情 心情 悲しい 嬉しい 怒り 不安 寂しい 気持ち 슬프 기쁘 행복 외로 불안 감정 화가`},
	{"beliefs",
		`religion religious church mosque temple synagogue pray prayer bible quran torah faith god jesus buddha spiritual spirituality christian muslim jewish hindu buddhist catholic priest pastor worship sermon
		 iglesia religión rezar oración dios fe église religion prier prière foi dieu
		 kirche religion beten gebet glaube gott moschee`,
		`belief soul bless sacred holy philosophy values karma`,
		`宗教 教堂 祈祷 佛教 基督教 上帝 信仰 教会 祈り 仏教 神社 お寺 종교 교회 기도 불교 성당`},
	{"volunteering",
		`volunteer volunteering charity charitable donate donation nonprofit ngo fundraiser fundraising philanthropy homeless soup-kitchen orphanage activism activist advocacy
		 voluntario voluntaria voluntariado caridad donación bénévole bénévolat charité don
		 ehrenamt ehrenamtlich freiwillig spenden spende wohltätigkeit`,
		`community cause awareness outreach shelter impact youth mentor rights`,
		`志愿者 慈善 捐款 公益 ボランティア 寄付 慈善 자원봉사 기부 자선`},
	{"politics",
		`politics political politician election vote voter president senator congress parliament government mayor democracy democrat republican legislation referendum immigration citizenship
		 política político elección elecciones votar gobierno presidente politique élection voter gouvernement président
		 politik politiker wahl wahlen wählen regierung bundeskanzler partei demokratie`,
		`law right party protest reform rights minister state candidate military veteran`,
		`政治 选举 投票 政府 总统 選挙 政治家 首相 정치 선거 투표 정부 대통령`},
	{"identity",
		`lgbtq lgbt transgender trans gay lesbian queer nonbinary pronoun pronouns gender ethnicity nationality immigrant birthplace hometown surname nickname maiden
		 apellido apodo nacionalidad género nom-de-famille surnom nationalité nachname spitzname vorname staatsangehörigkeit geburtsort`,
		`name called identity age born native pride acceptance origin root llamo nombre appelle prénom heiße name`,
		`名字 姓名 叫做 我叫 昵称 国籍 名前 苗字 国籍 あだ名 이름 성함 별명 국적`},
	{"places",
		`address city town village country neighborhood neighbourhood suburb downtown street avenue zipcode postcode region
		 dirección ciudad pueblo país calle barrio adresse ville pays rue quartier village
		 adresse stadt dorf land straße viertel heimat`,
		`live located location move moved reside near north south east west place map vivo habite wohne`,
		`地址 城市 住在 国家 街道 住所 都市 町 住んで 주소 도시 동네 살고`},
	{"schedule",
		`schedule calendar appointment deadline reminder remind agenda timetable timezone reschedule postpone due-date milestone
		 calendario horario plazo recordatorio cita calendrier échéance rappel rendez-vous
		 termin kalender frist erinnerung zeitplan`,
		`date time due plan tomorrow monday tuesday wednesday thursday friday weekly daily annual quarterly oclock noon`,
		`日程 预约 截止 提醒 时间表 予定 予約 締め切り リマインダー スケジュール 일정 예약 마감 알림`},
	{"preferences",
		`preference prefer favorite favourite dislike hate rather
		 preferencia prefiere prefiero favorito favorita odio préfère préfère préféré préférée déteste
		 bevorzugt bevorzuge lieblings lieblingsfarbe lieblingsessen vorliebe hasse`,
		`love enjoy best opinion choose option setting theme tone style gusta aime mag`,
		`喜欢 偏好 最爱 讨厌 好き 嫌い お気に入り 好み 좋아하 싫어하 선호`},
	{"language",
		`language grammar vocabulary translate translation translator bilingual fluent multilingual pronunciation dialect accent duolingo
		 idioma traducir traducción gramática langue traduire traduction grammaire
		 sprache übersetzen übersetzung grammatik wortschatz fremdsprache`,
		`english spanish french german chinese japanese korean italian portuguese russian arabic speak word inglés español francés anglais espagnol allemand englisch spanisch französisch deutsch`,
		`语言 英语 翻译 语法 学中文 言語 英語 日本語 翻訳 文法 언어 영어 한국어 번역 문법`},
	{"cars",
		`car truck vehicle motorcycle driving driver engine tire garage mechanic tesla toyota bmw ford mustang sedan suv traffic parking license-plate gasoline diesel dealership
		 coche carro conducir moto gasolina tráfico mecánico voiture conduire essence garagiste
		 auto autos fahren motorrad werkstatt führerschein benzin parkplatz verkehr reifen`,
		`drive drove ride brake wheel road highway oil fuel repair accident transmission`,
		`汽车 开车 车子 摩托车 驾照 停车 車 運転 バイク 免許 駐車 자동차 운전 오토바이 면허 주차`},
	{"science",
		`science scientist scientific physics chemistry biology mathematics math experiment laboratory astronomy quantum genetics dna molecule galaxy nasa spacecraft theorem
		 ciencia científico física química biología matemáticas scientifique physique chimie biologie mathématiques
		 wissenschaft wissenschaftler physik chemie biologie mathematik forschung`,
		`research theory lab discover discovery space study hypothesis data`,
		`科学 物理 化学 生物 数学 实验 研究 科学者 実験 宇宙 과학 물리 화학 수학 실험 우주`},
	{"technology",
		`technology computer laptop smartphone phone iphone android tablet gadget wifi bluetooth app software hardware robot robotics artificial-intelligence smartwatch headphones monitor keyboard printer windows linux macos ubuntu gpu cpu
		 tecnología ordenador computadora móvil teléfono technologie ordinateur téléphone logiciel
		 technik technologie rechner handy telefon drucker tastatur bildschirm`,
		`device internet online website digital tech screen upgrade install download tool battery charge`,
		`科技 电脑 手机 软件 机器人 人工智能 コンピュータ パソコン スマホ ソフト ロボット 컴퓨터 노트북 핸드폰 스마트폰 소프트웨어 로봇 인공지능`},
	{"programming",
		`programming programmer code coding coder developer python javascript typescript golang rust java kotlin swift ruby php compiler compile debug debugger bug refactor refactoring algorithm repository repo git github gitlab commit pull-request frontend backend framework api sdk ide vscode vim neovim emacs linter react django node npm regex runtime syntax stacktrace codebase monorepo
		 programación programar código desarrollador programmation programmer code développeur
		 programmieren programmierer quellcode entwickler softwareentwicklung`,
		`function class variable method module package loop script branch merge feature build error exception endpoint json yaml interface release version tabs indentation style`,
		`编程 代码 程序员 程序 开发者 调试 プログラミング コード 開発者 バグ デバッグ 프로그래밍 코드 개발자 디버깅 버그`},
	{"databases",
		`database sql postgres postgresql mysql mariadb sqlite mongodb redis cassandra dynamodb elasticsearch clickhouse bigquery snowflake oracle schema query queries migration replica replication sharding orm dataset warehouse
		 datos base-de-datos consulta données requête datenbank datenbanken abfrage`,
		`table row column index key join transaction backup record store cache data storage partition`,
		`数据库 资料库 查询 数据表 データベース クエリ スキーマ 데이터베이스 쿼리 스키마`},
	{"deployment",
		`deploy deployment redeploy rollout rollback docker container dockerfile kubernetes k8s helm terraform ansible pulumi cron cronjob pipeline ci cd jenkins staging production prod canary server servers hosting aws azure gcp heroku vercel netlify nginx systemd devops provisioning infrastructure cluster
		 desplegar despliegue servidor servidores producción déployer déploiement serveur serveurs
		 bereitstellen bereitstellung ausrollen deployen produktion serverraum`,
		`release environment cloud host build node region version nightly job url script`,
		`部署 服务器 上线 发布 容器 集群 デプロイ サーバー 本番環境 リリース コンテナ 배포 서버 운영환경 릴리스 컨테이너`},
	{"operations",
		`incident outage postmortem oncall on-call pager pagerduty alert alerting monitoring grafana prometheus datadog latency uptime downtime sla slo observability tracing runbook failover throughput
		 incidente monitoreo latencia incident supervision panne störung ausfall überwachung bereitschaft`,
		`metric log logs dashboard crash restart scale load performance timeout capacity error`,
		`监控 告警 故障 宕机 延迟 監視 障害 アラート 遅延 모니터링 장애 알람 지연`},
	{"testing",
		`testing unittest pytest jest junit selenium playwright cypress fixture mock mocking stub assertion coverage flaky regression fuzz fuzzing tdd qa benchmark testsuite e2e
		 prueba pruebas essai testen testfall testabdeckung`,
		`test tests suite assert pass fail failing check verify integration unit`,
		`测试 单元测试 测试用例 テスト 単体テスト 테스트 단위테스트`},
	{"security",
		`security secure password passphrase encryption encrypt decrypt authentication authenticate authorization oauth sso mfa 2fa vulnerability cve exploit hacker phishing malware ransomware firewall vpn tls ssl certificate token secrets credential credentials breach audit pentest
		 seguridad contraseña cifrado vulnerabilidad sécurité chiffrement vulnérabilité pare-feu
		 sicherheit passwort verschlüsselung sicherheitslücke anmeldedaten zertifikat`,
		`key login access permission privacy policy rotate leak attack threat safe role account`,
		`安全 密码 加密 漏洞 认证 权限 防火墙 セキュリティ パスワード 暗号化 脆弱性 認証 보안 비밀번호 암호화 취약점 인증`},
	{"meetings",
		`meeting standup stand-up retro retrospective zoom webinar conference-call kickoff sync one-on-one attendee
		 reunión reuniones réunion réunions compte-rendu besprechung sitzung tagung konferenz`,
		`meet call conference discuss discussion presentation team invite attend slides notes schedule weekly talk`,
		`会议 开会 例会 会議 ミーティング 打ち合わせ 회의 미팅 스탠드업`},
	{"planning",
		`roadmap sprint backlog kanban jira ticket scrum okr quarter stakeholder requirement requirements prioritize priority milestone estimate epic
		 hoja-de-ruta requisito requisitos prioridad feuille-de-route exigence exigences priorité
		 anforderung anforderungen priorität projektplan meilenstein`,
		`project plan goal task scope deadline deliverable team progress phase owner assign launch`,
		`项目 需求 优先级 路线图 计划 プロジェクト 要件 優先 計画 프로젝트 요구사항 우선순위 계획`},
	{"documentation",
		`documentation docs readme wiki changelog docstring manual tutorial howto handbook confluence notion markdown specification spec rfc adr javadoc guideline
		 documentación tutoriel documentation mode-d'emploi dokumentation handbuch anleitung spezifikation`,
		`document guide page section template diagram example reference note write comment describe paragraph`,
		`文档 说明书 手册 教程 ドキュメント 文書 マニュアル 仕様書 문서 설명서 매뉴얼 위키`},
	{"communication",
		`email e-mail inbox slack newsletter telegram whatsapp discord sms voicemail mailing-list gmail outlook twitter instagram facebook tiktok youtube podcast blog blogger vlog influencer linkedin
		 correo mensaje courriel messagerie nachricht nachrichten e-mails postfach`,
		`message reply send post social media channel contact call notify notification video followers subscribe`,
		`邮件 短信 微信 社交媒体 博客 メール メッセージ 連絡 ブログ 이메일 메시지 문자 블로그 카카오톡`},
}
