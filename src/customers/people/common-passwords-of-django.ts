/*
 * The words of this list come from the package `Django` 5.2.19, under this license:
 *
 * Copyright (c) Django Software Foundation and individual contributors.
 * All rights reserved.
 *
 * Redistribution and use in source and binary forms, with or without modification,
 * are permitted provided that the following conditions are met:
 *
 *     1. Redistributions of source code must retain the above copyright notice,
 *        this list of conditions and the following disclaimer.
 *
 *     2. Redistributions in binary form must reproduce the above copyright
 *        notice, this list of conditions and the following disclaimer in the
 *        documentation and/or other materials provided with the distribution.
 *
 *     3. Neither the name of Django nor the names of its contributors may be used
 *        to endorse or promote products derived from this software without
 *        specific prior written permission.
 *
 * THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS" AND
 * ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE IMPLIED
 * WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE ARE
 * DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT OWNER OR CONTRIBUTORS BE LIABLE FOR
 * ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR CONSEQUENTIAL DAMAGES
 * (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR SERVICES;
 * LOSS OF USE, DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER CAUSED AND ON
 * ANY THEORY OF LIABILITY, WHETHER IN CONTRACT, STRICT LIABILITY, OR TORT
 * (INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE OF THIS
 * SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.
 */

/**
 * The passwords of at least 10 characters among the 20,000 most used ones of several leaks, in lower case.
 * Passwords in `COMMON_PASSWORDS` and passwords that the rules refuse are left out.
 */
export const COMMON_PASSWORDS_OF_DJANGO = `
homelesspa passer2009 fqrg7cs493 cjmasterinf yuantuo2012 diosesfiel pe#5gz29ptzmse 111222tianya myspace123
startfinding spongebob1 yagjecc826 3odi15ngxb 421uiopy258 1v7upjw3nt uqa9ebw445 sz9kqcctwy d2xyw89sxj
justinbieb 1234512345 3d8cubaj2e p3rat54797 southside1 princess12 w5txn36alfw babygirl12 abcdefg123 2012comeer
n8zgt5p0shw= vrbgqns997 superstar1 christina1 qti7zxh18u megaparol12345 september1 g9l2d1fzpy diwtgm8492
asdfghjkl: sexybitch1 telechargement 123456123456 teddybear1 golfcourse x4ivyga51f christine1 barcelona1
6hbf28w791 tnk0mk16vx h1xp2z2duk yfdbufnjh10305070 ka_djkhjsy6 passer2011 buttercup1 ohmnamah23 y6p67ftrqj
christmas1 ocpoook325 swordfish1 catherine1 1zn6fpn01x scoobydoo1 butterfly2 1fr2rfq7xl g13916055158
youngmoney katherine1 bettyboop1 1q2w3e4r5t6y7u8i9o0p myspace.co bubblegum1 5xfgs3ii9d cashmoney1 longhorns1
september2 qwertyqwerty skate4life princess10 babygirl13 nks230kjs82 alejandra1 d71lwz9zjs football11
"zxcvbnm,./" babycakes1 123456789123456789 iloveyou13 iloveyou14 disturbed1 spiderman2 5532361cnjqrf
qdujvyg5sxa eh1k9oh335 qwertyuiop[] jellybean1 princess13 iamthebest princess11 kissmyass1 uvgx8f8232
jessica123 baseball13 jesucristo babygirl10 billabong1 love123456 newcastle1 southpark1 littleman1 ilovemymom
princess01 3rjs1la2qe d9zufqd92n football21 qwertyuio1 cassandra1 dominique1 sweetness1 football22 cellphone1
lovehurts1 sunshine12 chocolate2 3rjs5la8qe elizabeth2 1234567890- jjcg16dj5k xiang123456 1q2w3e4r5t6y7u
spongebob2 microsoft1 nyq28giz1z hernandez1 linkedin123 0r968ji9ufj6 anthony123 fu7u4a#$$$ babygirl11
92k2cizcdp snowflake1 pakistan123 jundian2011xr yfdbufnjh63 happiness1 18atcskd2w familyguy1 viphv5j736
godisgood1 whatthezor 000webhost iw14fi9jxl nickjonas1 wolverine1 qwe1122334 cm6e7aumn9 mackenzie1 8ix6s1fceh
butterfly7 blueberry1 football23 chargers21 pok29q6666 marijuana1 michelle12 valentine1 johndeere1 backspace1
taishan2011 jeffhardy1 ty2t1hv3oc snowboard1 fuckyou666 dragonfly1 "zxcvbnm," football13 december12 godfather1
ttd955audg houston713 iloveyou10 cardinals1 babygirl01 baseball22 francisco1 sexybeast1 chelsea123 nathaniel1
woaini1314 softball12 babygirl14 iamnumber1 j123456789 iloveme123 starcraft1 angelbaby1 loveyou123 lovergirl1
rodriguez1 halloween1 ilovechris souljaboy1 diosesamor cepetsugih demon1q2w3e rocknroll1 smackdown1 iloveyou69
blackjack1 friends123 brandon123 hollister2 demon1q2w3e4r iloveyou23 princess21 lovesucks1 princess14
gabrielle1 dominican1 pothead420 november11 starbucks1 uhfybn8888 alexander2 iloveyou21 estrellita myspace101
demon1q2w3e4r5t capricorn1 baseball23 projectsadminx huhbbhzu78 ichliebedich megasecret pimpdaddy1 prettyboy1
bubbles123 butterfly3 ohiostate1 networking pazzword123 kifj9n7bfu princess22 moonlight1 margarita1
montgom2409 bobmarley1 forzamilan america123 babygirl15 triskelion john!20130605at1753 linkedin2011 liverpool8
1q2w3e4r5t6y7u8i w66yrybgra fullaccess mrf11277215 123456789h babygirl09 harrypotte mileycyrus ihatethisgame
babygurl12 u1v7hhh7ef lightning1 princess23 bigpimpin1 cleveland1 wonderful1 mississipp darkangel1 history278
owt243ygbj baseball24 x3luym2mmj classof201 motocross1 emachines1 playboy123 baseball14 s8ylpe9jdpvym
bestfriends thegreat123 northside1 principessa lifesucks1 football24 princesita tweetybird 1357913579
ordinateur mega_pizdetz666 greenday12 18n28n24a5 godislove1 123123123123 puppylove1 samantha12 music4life
babygirl21 basketbal1 guadalupe1 bellissima babygirl16 babygirl08 babygirl23 princess15 maradona10 football20
123456abcd z0102030405 chevrolet1 gabriel123 softball11 budweiser1 baili123com argentina1 jaihanuman
qwegta13091990 iloveyou15 iloveyou09 bugsbunny1 l6ho3tg7wb valentina1 football09 christian2 supergirl1
baseball15 william123 id6c3wr6un cookiemons september9 1butterfly matthew123 candycane1 babygirl69 feder_1941
sagitarius forzainter starlight1 rainbow123 magandaako chronic420 softball13 beautiful2 doomsayer.2.7mords.v
cookies123 jennifer12 h2vwdubjx4 seniseviyorum christelle eqes606898 onedirection softball10 scvmofas79
ilovejusti princess16 google.com twilight12 babygirl22 hurricane1 maryjane42 dontforget r9lw4j8khx panasonic1
football14 littlebit1 w5tn36alfw septiembre gymnastics princess08 patriots12 iloveyou08 pinkfloyd1 milkshake1
stonecold1 skywalker1 butterfly8 slipknot66 couponsc10 rockstar12 qwertzuiop princess09 classof200 jobshop2002
987654321q mikejones1 9uzp9jek3f d123456789 superman23 1q2w3e4r5t6y7u8i9o godlovesme grenouille liverpool9
heartbreak myspace200 babygirl19 mylinkedin december25 jefferson1 fuckoff123 marseille13 slimshady1
doomsayer.2.7mords.vv poohbear12 teamomucho computer123 ilovemysel 3s43pth5aea football08 superman11
monkeyman1 football33 tennessee1 guatemala1 candygirl1 radiohead1 9876543211 daddygirl1 2000comeer telephone1
b123456789 fucklove13 mahalkita1 backstreet momanddad1 gribouille tinkerbel1 summer2010 priscilla1 iloveyou16
iloveindia underoath1 cutiepie12 babygirl20 princess19 sunshine11 josephine1 annabelle1 november19 detroit313
crackhead1 jfgvcqbuzug football32 iloveyou01 superman13 highschool c123456789 villanueva football55 silverado1
liverpool2 passer2010 chocolate! change1234 ilovejosh1 rbotmvz954 football44 newport100 deathnote1 brittany12
football25 football15 smokeweed1 baseball25 mickeymous jonathan12 chocolate7 princess18 esmeralda1 x99qomx561
2cxdn8s271 riverside1 jesuscristo cleopatra1 crazygirl1 loveu4ever blood4life gabriella1 hilaryduff melissa123
jiefang007 1234567890-= westside13 iloveyouba december19 butterfly6 chocolate3 anastasia1 hello12345
danielle12 johnnydepp godblessme patrick123 migrationschool 1234567891011 popcorn123 greeneyes1 universal1
makemoney1 southpole1 manunited1 freestyle1 cupcake123 babygirl18 princess07 holyspirit scoobydoo2 chihuahua1
babygirl07 quality123 warhammer1 sexygirl12 gunsnroses superman10 olamilekan bumblebee1 elisabetta
lovelovelove ilovealex1 destiny123 arschloch1 vanessa123 ilovenick1 xblhintb9w baseball17 forever123
fantastic4 elizabeth3 cristiano7 princess69 midnight12 liverpool123 friends4ev remington1 xtseo2011tdx
december10 mv46vkmz10 sunshine01 crazybitch fuckyou420 spongebob3 gettherefast hotmail123 evolution1
clementine president1 johnathan1 ??????@mail.ru ilovemybab jackson123 iloveboys1 3daysgrace michoacan1
liverpool5 fuckyoubit internazionale 123456789123456 diamond123 olanrewaju football34 bvp33w7epu 1fptjtl919
starwars12 football07 butterfly9 princess123 princess24 jackass123 papichulo1 harekrishna jamesbond1
mcdonalds1 countryboy ilovematt1 hellomoto1 princess20 princess17 notredame1 freedom123 football69 electrical
myspace4me whatever12 monkeyboy1 november12 richard123 carebears1 inuyasha12 dkxjizc282 skyliner34 ilovemykids
coccinella juliana123 5plk4l5uc7 realestate heartless1 jesusloves football99 bismillah1 5845201314 sylvester1
dramaqueen sephiroth1 softball14 butterfly5 tzir25l5kn heyheyhey1 5x1cjdsb9p aerosmith1 babyboy123 softball22
longbeach1 iloveyou18 lolipop123 antoinette johncena12 skaterboy1 boyfriend1 flowerpower myspace201 psychology
sunshine13 browneyes1 flatblocker r123456789 1zn6fpn01n eastside13 1sexybitch arcobaleno superman69 slipknot12
qh6xl1p9xj elizabeth7 metallica2 rememberme stephanie2 successful nevermind1 football77 brownsugar abc1234567
12345678901234567890 foxracing1 blackwater 1life2live idontcare1 happyfeet1 1qwertyuio sdf7asdf6asdg8df
iloveyou24 j1v1fp2bxm hillbilly1 yu5l97wk8q icecream12 hamburger1 iloveyou19 november20 november18 philippine
l123456789 iloveyou20 football01 butterfly0 iloveyou17 dangerous1 3qdlqb49js iloveyou07 psicologia wednesday1
limegreen1 ilovemymum football88 ilovemike1 maplestory westcoast1 runescape2 baseball20 sunshine22 butterfly4
babygurl13 demon12345 ilovehim12 starburst1 bobesponja babygirl17 football18 michaeljac angeleyes1 t123456789
cheerleade delicious1 1234567890qwertyuiop ilovemydad zmx870919123 1asdfghjkl november17 minicalibra
hgrfqg4577 coregmedia asdfghjkl:&#39: imthebest1 steelers43 marketing1 francesca1 november23 employment
november10 superman21 southside3 liverpool0 zacatecas1 december21 ukflbfnjh12 november21 viewsonic1 december20
madison123 ilovemyfam waterfall1 asdf123456 baseball09 sunshine10 delpiero10 inactive1996aug iw14fi9jwqa
demilovato monkey1234 marguerite november22 baltimore1 pandabear1 lydcc20091314 fisherman1 poptropica
jesuslovesme brokenhear asdfghjkl; november13 hevhk43n9j earnhardt3 newyork123 december22 lkjhgfdsa1
amdturion64 coolbeans1 sexyblack1 baseball16 0icotpd785 123456789+ ilovemykid dolphins13 opernhaus1 november15
icxkyb7972 cool123456 chicharito crystal123 love4ever1 hollywood2 dance4life december13 realnigga1 wsbe279qsg
baseball18 superstar2 tombrady12 woodstock1 superman22 m1am1b3ach butterfly! liverpool7 transforme michelle11
carpediem1 capricornio education1 spongebob9 gangsta123 jaigurudev 31x7t5xbke benjamin15 september3 forgotten1
bwfq23jp7f esperanza1 december23 football17 forzanapoli lilwayne12 sugarbear1 fxzz75$yer 121324810z michelle13
november16 lovelygirl iloveryan1 loserface1 1qaz2wsx3e ilovedavid scooter123 victoria12 dfg5fhg5vgfh1
polarbear1 1q2w3e4r5t6 ryan962052 qugrqfo825 babygirl24 december11 blackrose1 allahakbar alexander3 k47rizxt2g
marseille1 yourmom123 123456asdf newpasswor 1234567891234567 happydays1 football54 december17 123admin321a
taekwondo1 ichliebedi selenagome minnesota1 snoopdogg1 fuckyouall googletester glamorous1 salvation1
hawkesbury93 amoreterno allrecipes 1chocolate pocahontas qwertqwert spiderman7 hallohallo oks65b6666
cameron123 antonio123 december15 nha7ebf6kp hx28o9e646 december18 q0tsrbv488 messenger1 chocolate5 september8
newthree51 flowers123 football28 pqntmt1247 oldschool1 hotmail.com edxk20qmfs spongebob7 gossipgirl chelle1234
jesuslives f1uuhza723 baseball08 november14 1234567898 elizabeth9 juggalo420 fuckthewor baseball33 baseball19
elisabeth1 gangster12 december16 pennstate1 happy12345 poopmaster broadband1 elizabeth8 hbhc8290826 3526535265
karakartal football95 gtavicecity 13587930210 w123456789 magdalena1 imyaimyaimya spionin8688 elizabeth0
iloveyou<3 randyorton asdasdasd1 football16 supernova1 0987654321q kirill1990 d0r1nc0urt olo65b6666 myspacepas
johncena54 lovemykids superwoman november25 jordan2345 1211109032 blablabla1 yellowcard resing1965 beethoven9
xige5516726 blackcat123 sweetangel iloveyoux3 staredobre december31 element123 "1,00001e+14" yemi19900911
nomeacuerdo 31081981rs qiciqdp162 chocolate9 vascorossi september7 thissucks1 gwarmonster cheguevara
ss563563ss teddybear2 pakistan12 jkiuztdftl57 lebronjame trapdoor60 povlmly727 honeybunny lightning2
xantria10315 kuana230345 doodlebug1 mnbvcxz123 tinkerbell1 aksrms8010 starwarsfan10 skaterdude blkdrag0ns
hannahmontana familiyafamiliya linkedin11 christmas2 wrasloco11 pinkpanther whitetiger dangerous12 teonamaria1
jiang8kevin n123456789 barbiegirl cds04121989 seminoles1 sexychick1 hannover96 vitor1268123 sabrina123
michelle01 spider-man maximiliano football19 m01759766727 123456789101112 trackstar1 weronika1992 carpenter1
chocolate8 goodtimes1 summer2008 neworleans12345 william2631 courtney12 yggdrasil4 aug!272010 mamikawada
tuputamadre charly2004 nicholas12 @bigmir.net cookiemonster komputer12 football27 spongebob0 sunshine21
fullmetal1 iloveyouso nickiminaj akademiks11 natiichen999 newjersey1 basketbal9 football56 starwars111
skateordie november24 cordell123 henderson1 steflio3123 armstrong1 alejandro2 december28 kinomoto89 jarox1301!
billiejoe1 november27 sexybitch2 moonshine1 superman01 chocolate4 kissmyass2 december14 girlygirl1 softball21
nothings123 520love101182 matyas2001 leolong1985 butterball hollister3 hans4queck kartoffelpuffer
lightpower12345 maella1311 vfhbjk1801 abcdefghi1 asdfghjkl12 farfallina lionheart1 ladiesman1 ilovejames
softball23 hannahmont angelseye22 southside2 christian7 virtue1234 butterflies stefangreil1983 total12scherz
2kroliczek southwest1 adams33486 serafina14 salmankhan christina2 saxophone1 mario140773 iloveyou88 proverbs31
wpcakir264 sexymama12 somanypickles27 ahbird1984 killer1234 armorgames nickelback pakistan786 weyersheim
emmanuelle kassandra1 daredevil1 leliane50934 johnny1959 guillermo1 kmzwa8awaa moderncombat 2pacshakur
concepcion owt243ygbh phoenix888 softball15 roanne42300 faca210898 monstercha istanbul34 marek14michal
przyjaciolki heartbroke laurel12creek lovehurts2 yandi20080527 computer11 ezekiel11991 yaoiisgrand boguska123
gigaman8891 thebears12 heather123 accountant november30 jellybeans marvel5454 aquamarine mustang123 almario927
ibicguwjic redskins21 arabella24630 november26 poiuytreza spiderman4 20070509031 sunshine23 meatball99
heterosexual manchesterunited blackhawk1 skittles12 football45 krystyna56 schokolade igetmoney1 toulouse31
tiffany123 metallica6 sebastian106 2416101113 josemanuel independen agnieszka1 knackwurst8853 ethanryan01
babygirl06 babygurl14 pimpjuice1 fallen_angel
`;
