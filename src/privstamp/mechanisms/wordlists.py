"""Short public lists of our own: what a surrogate may be, and what a name may not be."""

from __future__ import annotations

from typing import Final


def words(text: str) -> tuple[str, ...]:
    """A list that is written as a text."""
    return tuple(text.split())


INSTITUTIONS: Final = words("""
    Academy Agency Airlines Analytics Associates Automotive Bakery Bank Books Brewery Builders
    Capital Center Clinic College Committee Construction Consulting Corporation Court Dental Design
    Electronics Energy Engineering Enterprises Farms Films Finance Foods Freight
    Furniture Games Group Health Hospital Hotels Industries Institute Insurance Investments Jewelers
    Laboratories Laundry Leasing Logistics Machinery Manufacturing Marine Maritime Marketing Medical
    Media Motors Music Nurseries Packaging Partners Pharmaceuticals Plastics Plumbing Printing
    Productions Properties Publishing Railways Realty Recycling Research Retail Robotics Savings
    School Security Services Shipping Software Solutions Stores Studio Supplies Systems
    Technologies Telecom Textiles Tools Tours Toys Trading Transport Travel Trust University
    Utilities Ventures Wholesale Wines Workshop
""")
"""Kinds of institution and trades: one of them is drawn where a name does not say."""
CONNECTING: Final = words("de del di van von")
"""For small words inside a name, such as "of" in that of a university: names are read as one."""
TIMES: Final = words("""
    anniversary armistice banquet carnival ceremony coronation daybreak deadline eclipse epoch
    equinox fair feast festival fortnight holiday jubilee lunchtime midsummer midwinter moonrise
    nightfall pageant parade regatta semester solstice sundown sunrise vigil wedding
""")
"""For words of a date that are of no closed class."""
NATIONS: Final = words("""
    Albanian Argentine Australian Austrian Belgian Bolivian Brazilian Bulgarian Cambodian
    Canadian Chilean Colombian Croatian Cuban Czech Danish Dutch Egyptian Estonian Ethiopian
    Finnish French Georgian German Ghanaian Greek Hungarian Icelandic Indonesian Irish Italian
    Jamaican Japanese Kenyan Korean Latvian Lebanese Lithuanian Malaysian Maltese Mexican
    Mongolian Moroccan Nepalese Nigerian Norwegian Peruvian Portuguese Romanian Scottish
    Senegalese Serbian Slovak Slovenian Spanish Swedish Swiss Tanzanian Thai Tunisian Turkish
    Ugandan Ukrainian Uruguayan Vietnamese Welsh Zambian
""")
LETTERS: Final = tuple("BCDEFGHJKLMNOPRSTVWZ")
"""Initials; `A` and `I` are words."""
CURRENCIES: Final = ("$", "€", "£", "¥")
PERCENTS: Final = ("%", "‰")
SYMBOLS: Final = ("+", "=", "#", "~", "^", "&", "%")
"""Without the marks of emphasis and tables, which answers are full of."""
EMOJI: Final = tuple("😀😊🙂🌟🌈🌻🌲🍀🍎🍋🍉🍇🍪🎈🎉🎁🎨🎵🎲🏀🏡🐝🐢🐬🐧🐼🚀🚲🚂🔑📌📎")

ORDINARY: Final = frozenset(
    words("""
    abbot abbott ace acorn ajax alley aloha alta alto amber amen anchorage angel angels angle
    antelope apex april arcade arch archer armor ash ashes asuncion august augusta aurora autumn
    bacon badger bailey baker ball bank banks bar barb barber bare barge barger barker barking
    barley barn barnes baron barrier barrow bass bat batch bath battle bay bays beach beam bean
    beard beasley beaver beck bee beech belcher bell bells bench bend benefield berry best bet
    bethel bette better beverly bid biggs bill billie billings bills billy bind bing birch bird
    bishop bit bite black blackmon bland blank blanks blaze blazer blind bliss block blood bloom
    blossom blow blue bluff blunt board boat bob bobbie bold bolt bolton bond bonds bone bones
    bonita book booker books boost boot booth border bore born boss bottom boulder bounds
    bountiful bow bowl bowler bowling box boxer boy brace bragg brain branch brand brandy brave
    bravo bread break breeze brewer brice brick brickman bride bridge bridges brier bright
    bristle broad brook brooke brooks broom brown browning brush buck buckle bud buffalo bull
    bullock bunch burden burger burn burns burr bury bush butcher butler butter button butts
    buyer buzz bye cabin cable cage cake cali call calm camp can candle candy cannon cap cape
    car card care carol carolina carpenter carrier cart carter carver case cash castle cat cause
    cave centennial center chain chair chalk chamber chamberlain chambers champagne champion
    chan chance chandler chang chapel chapman char charity charm chase cheek cherry chess chest
    chew chief child childers childs chin china chinatown chip choice christ christa christi
    christian church cicero circle city claim clam clay clear clement clements clerk cliff
    clinic clock close cloud clover clue coach coal coast coat coats cobb cock code coffee
    coffin coil coin coke cold colon colony color colt columbia comb combs comer comfort
    commerce compass concepcion concord cone confederation constance consuelo cook cool coon
    cooper cope copper coral cord core cork corn corner corona cost cotton couch council count
    counts county court cove cover cow cox crab craft crane craven crawl cream creek crew crews
    crisp crook crop cross crow crowd crowder crown cruise crum crumb crump crush crust cruz
    crystal cub cue cup cure current curry curt curtain cutler cutter cypress daily dale dam
    dame dance danger dare dark darling dash date dawn day days dea deacon deal dean dear dee
    deed deep deer dejesus delacruz delarosa deleon dell delong delta den dent derby desert
    devine dew dial diamond dice dick diet dig diggs dike dill dime dink dish dixie do dock
    doctor dodge doe dog doll dolly dolphin don dorthy doss dot doty dove dow down downer downs
    dozier drain drake draper draw drawn dray dream dress drew drift drill drink driver drop
    drum dry dubois dubose duck due duff duke dukes dull dumas duncan dunk dupree dusk dust
    dusty duty duvall dwell dye dyer eagle ear earl early earnest ease east easter easy ebony
    echo eddy eden edge effie elder elf elk elm else ember emery empire end english enterprise
    estrella euclid eve even evening ever eyes fable face fair faith fall fan fancy far fare
    farmer farr fast faulk faust favor fawn fay feather fee feel fell felt fence fern ferry fes
    fever few fiddler field fields fife fig file fill film finch find fine finger finish fink
    fir fire firm first fish fisher fishers fist fit fitting fitzgerald fitzpatrick flag flake
    flame flash flat fleece fleet flesh flick flight flint float flood floor flora florence
    florida flower flowers fly foe fog folk folks fontaine food fool foot ford foreman forest
    forester forge forrest fort fortune foster found fountain fowl fowler fox frame france frank
    frankie franklin franks freed freeman french fresh friar friday friend frog front frost
    fruit fry fuller fun funk fur gable gage gain gaines gale gall gallant gallo gamble game
    gang gap garden gardener gardens garland garner garnet gates gather gay gear gee gem gene
    general gentle gentry georgia german gift gill gilt ginger glad glade glass glaze glen globe
    gloom gloria glory glove glover goad goal god gold golden goldie goldsmith good goode
    goodman goods goodyear goose gore gospel gown grab grace gracie graft grain grand granger
    grant grape grapevine grass grate grave gravel graves gray grays great green greenwood grew
    grief grim grimes grimm grip grits groom gross ground grounds grove groves grow grub guard
    guess guest guide gulf gum gun gunner guy gypsy hack hail hair hale half hall ham hamburg
    hammer hand handler hands handy hank hanks happy harbor hard harden harder hardin hardy hare
    harm harmon harmony harness harp harper harrow harry hart harvest hat hatch hatcher haven
    hawk hay hayes hays hazel head heal healer heap hear heard heart hearth heat heath heather
    heaven hedge heel heights helm helms help hemp hen herald herb herd hero herring hickory
    hide high highland hike hill hills hilt hind hinds hint hip hire hit hitch hive ho hoard
    hobbs hobby hodge hog holder hole holiday holler hollow holly holm home homer homestead
    honey hong hood hook hooker hooks hoop hop hope hopper horn horne horse host hot hound hour
    house housekeeper houser hove howl hub huff hull hum hunt hunter hurry hurt hush hutch hyde
    ice idol independence inn ion iris iron israel ivory ivy jack jacket jade jail jam jamaica
    jan jar jasmine jasper jay jean jeans jesus jet jewel jewell jimmie jo job joe john johnnie
    join joiner joint joker jolly jordan jos josh joy joyce judge judy juice july jumper june
    jupiter just justice kay keen keeper keller kelly kemp kennel kerr kettle key keys kidd
    kidder kiln kind king kings kirk kiss kitchen kite knight knock knoll knot know knowles
    known knows knuckle lace lacey lack lackey lad ladder lady laguna lake lam lamar lamb
    lambert lamp lance land lander landing landlord lane lang lange lara larch lard large largo
    lark lash last latch later laurel law lawless lawn laws lay leach lead leader leaf league
    leak lean leander leather leave leaver leblanc lebron led ledger lee leek leg legend lemon
    lemons lent les less lesson letter level levy liar libby lick lid lien light like lilac lily
    lima lime limerick lincoln line linen liner linger link lion lip list little live lively
    liver living load loaf loan lock locke locker locket lodge loft log logan london long longer
    look looney loop loose lord lot lott lotus loud louse love lovely lover loving low lower
    luck lucky lull lumber luna lunch lung lush lust lute luz lyre maccormick macdonald mace
    mack made maiden mail main major maker male mall man mane manger manhattan manley manly
    manner manners mansion manual many map maple marble march margin maria marina mariner mark
    marker market marks marquis marsh marshall martin mask mason mass massage mast master
    masters mat match mate math matter maw may maybe mayer mayo mayor maze mead meadow meadows
    meads means meek mellow melody melon men mentor mercedes mercer merchant mercy meridian
    merit merrill merry mesa mesh mesquite mess messenger messer metal metz mexico micheal
    mickey middle midland mild miles milk mill miller mills mime mind miner mines minor mint
    minus mirror miss mission mist misty mitten mix mobile mock model mohr mold mole moment
    monday money monk montana moody moon moor moore moose more morrow mort mortar moss most moth
    mother motion mound mount mountain mouse mouth mow much mud mule mullet mumble murder muse
    music must myrtle nail name nance narrow nash nation neat neck need needle neighbor nelly
    nephew nest net nettle nevada never new newcomer news next nice nick nickel nickels night
    nine nix noble noel noon normal norman north nose note novak novel now numbers nun nurse nut
    nutt oak oaks oar oath oats obrien ocean oconnell oconnor odd odds odell odom odonnell offer
    office ohara ohare oil okeefe okelly old older oleary olive oneal oneil oneill only ontario
    opal open ora oral orange orb orchard order oreilly organ orourke osullivan oval over owl
    own owner ox pace pack packer pact pad pagan page paige paint painter pair palatine pale
    palm palmer pan panda pane pansy paper par paradise paramount parcel parent parish park
    parker parks parrot parson parsons part partner party pass past pastor pat patch path
    patience patient patrica patrick patsy patty pause pawn pay payer peace peach peachey
    peacock peak pear pearl pease pebble peck peel peep peer pelt pen pence penn penny people
    peoples pepper perch perry person pest pet petal petty phoenix pick pickens picket pickett
    pickle piece pierce pig pike pile pill pillar pilot pin pine pink pinto pipe piper pistol
    pit pitcher pitt pitts place plain plan plane plank plant plantation planter plate platt
    play player plaza pleasant plow plum plumb plume plummer plunk plus plymouth poe poem poet
    point poker pole police polish polk polly pond ponder pony pool poor pop pope porch pork
    port portage porter portion pose posey post pot potato potter potts pound powder power
    powers prairie pray prayer preacher press price pride priest prime prince princess print
    prior privet prize process proctor prom prophet prosper proud prove providence prude prune
    puck pueblo puff pull pulley pulp pump punch pupil purdy pure purple purse puzzle quail
    quaker quarry quarter quarters queen queens quest quick quiet quill quilt quinn race rack
    rail railroad rain rainey rains rake ram ramp ran ranch randy range ranger rank ransom rap
    rape rare rash rasp raven ravine raw ray rays reach read reader reading ready reams reap
    reason reasoner rebel record rector red reed reeder reef reel reeves regal regina reign
    relief rent reservoir rest reveal revel revere rex rice rich riches richmond rick rickey
    ricks riddle ride rider ridge ridings right riley rim rind ring ringer rinse rise rival
    river rivers riverside roach road roads roam roan rob robe robert robin rock rocker rocket
    rod rode rodriquez roe roll roller rollins roman romance rome roof rook rookie room rooms
    rooster root roots rope roper rosa rose rosemary rosy rot rouge rough round rouse rover row
    royal royals ruby rude rue ruff rug rugby ruin rule ruler rum rung rush rushing russ rust
    rusty ruth rye sable sack sackett sad saddler sadler safe sage sail sailor saint sale salmon
    salt salter salvador sam same sample sand sandal sands sandy sane santos sash satin saturday
    sauce savage save savior saw sawyer say sayer scales scarf scholar school score scott scout
    screen screws scribe scrub scruggs sea seal seals sear search season seat second see seed
    seek seeker self sell seller sellers senior sense serene servant service settle seven severn
    sewing sexton shade shaft shanks sharp sharpe shaver shed sheep sheer sheets shelf shell
    shelter shepherd sherry shield shields shift shin shine ship shipman shipp shire shirt
    shiver shock shoe shoemaker shook shop shore shoreline shores short shorts shot should
    shoulder shout show shower shrewsbury shrub shy sides sierra sight sign silence silk silver
    simple sims sin singer single singleton sink sir sister six sizer skinner skip sky slack
    slade slate slater slaughter slay sled sleep slice slick slim sling slipper sloan slough
    slow small smalls smart smash smell smiley smith smoke smooth snail snake snapp snead sneed
    snell snider snow snowden snug socorro soil sole solid solo son song soto sound south
    souther space spade spain span spark sparks sparrow speak speaker spear spears speed spell
    spelling spence spencer spender spice spicer spider spike spin split spoon sport spring
    springer springs sprinkle spruce spurlock squire squires stable stack stacks staff stafford
    stage stair stairs stall stallings stallion stamp stamper standard staples star stark starks
    starling starr start state states stay steadman steal steed steel steele steep step sterling
    stern steward stick sticker still stjohn stock stocks stone stoner stones stool stop store
    storm story stout stove straight strain strand strange stranger straw stream street streeter
    string stringer strong stroud stubbs study stump sturdy style such sue suggs suit summer
    summers sun sunday sunrise sunshine surplus surprise surrey sutler swallow swan swank swann
    swanson swear sweat swede sweeper sweet sweets swift swim swimmer swing switch sword swords
    tabor tack tackle tailor taint talk tall tally tang tank tanner tape tapper target tart task
    tate taylor tea teach teacher tear tease teller temple ten tender tenor tent term terra
    terrace terry test thatcher there thick thief thing think thorn thorne thought thrash
    thrasher thread threat thrift throne throw thrower thumb thunder tide tidy tie tiger tight
    tile till tiller tim timber time times tin tiny tip titus toast tobacco today toe toll tom
    tomb tommie tongue toni tool tooth top torch toss total touch tough tow towel tower towers
    town toy trace track tracker tract trade trader trail train trainer trap trapp traveler
    treasure treat tree trees trent trial tribe trick trigg trim trimble trinidad trip triplett
    tripp trolley troop trotter trout troy truck true truelove trump trunk trust truth try tub
    tuck tucker tuesday tull tumble tune turk turn turner turnip tutor twig twin twist tye uncle
    under underwood union unity university upchurch upland upright upton uptown urban use usher
    utter vale valentine valiant valley value van vance vandyke vane vanhorn vault veil velvet
    venom vera verse vest vice vick victor victoria view vigil villa vine viola violet violets
    virgin virginia virtue vista vivid voice wade wafer wager wages wagon wagoner wait waite
    waiter wake waldorf walk walker wall waller walls walnut wand wanda war ward warden ware
    warm warner warren warrior wart wash washer washington wasp waste watch water waters watt
    watts wave waver way wayne wayward wealth weary weather weathers weaver web webb webber wed
    weed weeks weir weird welch welcome weld welder well weller welling wells welsh wendy west
    western wetter whale wharton wheat wheel wheeler whip whipple whisper white whitehead
    whiting whole wick wicker wide widow wier wild wilde wilder wildman will willie willing
    willow wills win wind window winds wine wing wings wink winter winters wire wise wiseman
    wish witch witness witt wolf wolfe wolfs wonder wood woodall woodland woodman woods woodside
    woodward woody wool word words work worker workman works world worm worth would wrap wreath
    wren wright wrist writer wyoming yard yarn year yellow yes yoder yoke york young youngblood
    younger youngman youth zeal zion
    """)
)
"""Names and places that are also ordinary words, belong to other things, or lose a capital."""
