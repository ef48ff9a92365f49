package concept

// sameWords has on each line words that say much the same: forms that stemming
// does not join, and everyday synonyms. A word may be on several lines.
const sameWords = `
buy bought purchase purchased
go went gone
see saw seen
eat ate eaten
drink drank drunk
write wrote written
speak spoke spoken
break broke broken
drive drove driven
fly flew flown
swim swam swum
sing sang sung
run ran
win won
lose lost
teach taught
catch caught
bring brought
build built
sell sold
send sent
spend spent
meet met
leave left
choose chose chosen pick picked
begin began begun start started
grow grew grown
draw drew drawn
give gave given donate donated
take took taken
make made
become became
find found
keep kept
sleep slept
wear wore worn
ride rode ridden
steal stole stolen
fall fell fallen
throw threw thrown
forget forgot forgotten
hide hid hidden
fight fought
hear heard
hold held
read reading
feel felt
think thought
pay paid
child children kid kids
mother mom mum mommy
father dad daddy
grandmother grandma granny
grandfather grandpa
wife husband spouse partner
brother brothers
woman women
man men
person people
foot feet
tooth teeth
mouse mice
picture photo photograph image pic
movie film
television tv
bicycle bike
automobile car
job work career profession occupation employment
vacation holiday getaway
trip journey travel traveled
doctor physician doc
illness sick disease ill
hospital clinic
happy glad joyful
sad unhappy upset
angry mad furious
afraid scared frightened fear
tired exhausted
beautiful gorgeous pretty lovely
big large huge
small little tiny
present gift
home house apartment flat
move moved relocate relocated
study studied studying
school college university
student pupil
teacher instructor
lesson class course
contest competition tournament championship
prize award trophy medal
meal dinner lunch breakfast supper
exercise workout gym fitness training
store shop
cash money
volunteer volunteering volunteered
help helped support supported assist
adopt adopted adoption
marry married wedding marriage
divorce divorced separated
birthday born birth
die died death passed
friend buddy pal
pet animal
dog puppy pup
cat kitten kitty
party celebration celebrate celebrated
concert gig
band group
author writer
book novel
visit visited
attend attended joined
quit resign resigned
fire fired
hire hired
plan planning intend
hobby pastime interest
enjoy enjoyed love loved
prefer favorite favourite
dislike hate hated
painting paint painted
cook cooked cooking
allergy allergic
error bug fault failure
fix fixed repair repaired
deploy deployed deployment release released ship shipped rollout
config configuration settings setting
repo repository
doc docs documentation
test tests testing
auth authentication login signin
password credential passphrase
database db
app application
server host machine
folder directory
delete remove deleted removed
create created made
change changed modify modified
error exception crash
speed performance latency
phone mobile smartphone cell
laptop notebook computer
mail email
boss manager supervisor
colleague coworker teammate
company firm employer business
customer client
meeting call standup
deadline due
salary wage pay income
address street
kitchen cooking
sofa couch
garden yard
rain rainy
snow snowy
color colour
`

// kinds names kinds of things, and after the colon the best known things of
// each. Only words that seldom mean anything else are listed.
const kinds = `
country countries nation nations abroad: spain france italy germany england britain ireland scotland wales portugal netherlands belgium switzerland austria sweden norway denmark finland iceland poland greece turkey russia ukraine hungary croatia czech romania canada mexico brazil argentina chile peru colombia cuba japan china india korea thailand vietnam indonesia malaysia singapore philippines australia zealand egypt morocco kenya nigeria ghana ethiopia israel pakistan america
european europe: spain france italy germany england britain ireland scotland portugal netherlands belgium switzerland austria sweden norway denmark finland iceland poland greece hungary croatia romania paris london rome berlin madrid barcelona amsterdam vienna prague lisbon dublin
asian asia: japan china india korea thailand vietnam indonesia malaysia singapore philippines tokyo bangkok beijing seoul kyoto bali
city cities town towns: paris london rome berlin madrid barcelona amsterdam vienna prague lisbon dublin tokyo kyoto seoul beijing shanghai bangkok sydney melbourne toronto vancouver montreal boston chicago seattle denver miami dallas houston austin atlanta philadelphia detroit portland orleans vegas francisco diego angeles york washington moscow istanbul cairo dubai mumbai delhi
state states: california texas florida oregon nevada arizona colorado utah washington michigan ohio georgia virginia carolina tennessee kentucky alabama louisiana massachusetts connecticut vermont maine minnesota wisconsin illinois indiana iowa missouri kansas nebraska montana idaho wyoming alaska hawaii pennsylvania maryland
continent: europe asia africa america australia antarctica
instrument instruments: guitar piano violin cello drums flute clarinet saxophone trumpet trombone harp ukulele banjo keyboard bass viola accordion harmonica oboe
sport sports athletic: soccer football basketball baseball tennis golf hockey volleyball rugby cricket swimming running cycling skiing snowboarding surfing skating boxing karate judo wrestling gymnastics badminton climbing rowing sailing yoga marathon
exercise workout fitness: yoga running jogging swimming cycling weights lifting pilates gym hiking cardio boxing aerobics stretching
hobby hobbies pastime activity activities interest interests leisure: painting drawing photography reading writing gardening cooking baking hiking camping fishing knitting sewing dancing singing chess yoga swimming running cycling gaming music collecting woodworking climbing kayaking surfing skiing skating crafts astronomy birdwatching
outdoor outdoors nature: hiking camping fishing kayaking climbing hike camp trail mountain lake forest park beach
art arts artwork: painting drawing sculpture pottery photography sketch watercolor mural portrait canvas collage ceramics
craft crafts: knitting sewing pottery crochet embroidery woodworking origami quilt
pet pets animal animals: dog cat puppy kitten hamster rabbit bunny parrot bird fish turtle lizard snake horse guinea goldfish ferret hedgehog gecko
animal animals wildlife: dog cat horse cow sheep goat pig lion tiger bear elephant wolf fox deer whale dolphin bird eagle turtle monkey rabbit
breed: labrador retriever poodle shepherd beagle bulldog terrier husky siamese persian
family relative relatives: mother mom father dad sister brother son daughter wife husband aunt uncle cousin grandmother grandma grandfather grandpa niece nephew kids parents
parent parents: mother mom father dad
sibling siblings: sister brother
child children kid kids: son daughter baby toddler
relationship: single married dating boyfriend girlfriend divorced engaged partner wife husband
food foods dish dishes meal cuisine eat: pizza pasta sushi burger salad soup sandwich steak curry taco rice noodles bread cheese chicken fish lasagna ramen burrito pancake omelette stew
dessert desserts sweet sweets snack snacks: cake cookie cookies pie brownie chocolate candy donut pudding muffin cupcake pastry chips
fruit fruits: apple banana orange strawberry blueberry grape mango peach pear cherry lemon pineapple watermelon
vegetable vegetables: carrot broccoli spinach tomato potato onion cabbage lettuce pepper kale
drink drinks beverage: coffee tea juice wine beer water soda milk smoothie whiskey cocktail
diet dietary: vegan vegetarian keto gluten lactose sugar calories vegetables
allergy allergies allergic: peanut nuts pollen dust lactose gluten shellfish
music genre: jazz rock pop classical rap blues country folk metal techno reggae punk
game games: chess poker monopoly scrabble nintendo playstation xbox minecraft zelda
console platform: nintendo playstation xbox switch
subject major degree: mathematics physics chemistry biology history psychology economics philosophy engineering law medicine literature
language languages speak: english spanish french german italian portuguese russian chinese japanese korean arabic hindi dutch polish
job profession career occupation: teacher nurse doctor engineer lawyer chef artist writer designer developer programmer accountant manager therapist musician actor journalist scientist police firefighter pilot waiter barista
vehicle vehicles transport: car truck bike bicycle motorcycle bus van train scooter tesla toyota honda ford subaru
season: spring summer autumn fall winter
weather: rain snow sunny storm wind cloudy cold hot fog
color colour colors colours: red blue green yellow orange purple pink black white brown gray grey turquoise
clothes clothing wear outfit: shirt dress shoes jacket coat hat jeans pants skirt sweater socks boots sneakers scarf gloves
furniture: table chair sofa couch desk bed shelf bookshelf lamp
jewelry accessory: necklace ring bracelet earrings watch pendant
illness disease health condition injury medical: cancer diabetes asthma flu fever cold infection surgery ankle knee injury broken hospital doctor pain allergy migraine anxiety depression
emotion emotions feeling mood: happy sad angry afraid anxious proud nervous excited lonely grateful stressed
religion religious faith spiritual: church god prayer bible mosque temple synagogue christian muslim jewish buddhist hindu
political politics: election vote liberal conservative democrat republican
holiday holidays: christmas easter thanksgiving halloween hanukkah ramadan independence
event events: concert festival parade conference wedding party exhibition workshop ceremony meeting show tournament
charity charitable cause volunteer volunteering: donation fundraiser foundation donate
place places location travel trip vacation: beach mountain lake park museum city island forest hotel
book books author: novel series fantasy mystery biography
pub restaurant bar: cafe diner bistro pizzeria
school education: university college degree class graduate diploma
database databases storage store: postgresql postgres mysql sqlite mongodb redis mariadb oracle cassandra dynamodb clickhouse
programming language languages: python golang rust java javascript typescript kotlin swift ruby php scala haskell
editor ide: vim neovim emacs vscode intellij sublime zed
cloud provider hosting: aws azure gcp heroku hetzner digitalocean cloudflare
framework library: react vue angular django flask rails spring express svelte
queue broker messaging: kafka rabbitmq nats sqs pulsar
container orchestration: docker kubernetes podman nomad helm
operating os system: linux windows macos ubuntu debian fedora android ios
browser: chrome firefox safari edge
monitoring observability: prometheus grafana datadog sentry
ci pipeline: jenkins github gitlab circleci
`
