/** Short passages in many languages and formats. No weight is fitted to them. */
export const writtenTexts: Readonly<Record<string, string>> = {
  'plain English': `We went up to the old house at the top of the hill. It was cold and the sun had not yet come out.
He put his hat on the bed and sat by the fire. "Do you want to eat now?" she said. No one did. The dog ran in and lay at our feet,
and so we let him be. All of us were wet, and the way back was long and dark. I had my book with me, but I did not read it.`,
  'formal English': `The committee considered several alternatives before recommending an independent assessment of the proposed
infrastructure. Representatives of neighbouring municipalities expressed reservations about environmental consequences, particularly
regarding groundwater contamination. Nevertheless, the administration emphasised that comprehensive monitoring would continue. Its
annual report will be published before the next session, together with the comments of all parties. Members who wish to propose changes
are asked to send them to the secretary in writing, and to state the reasons for each of them. The budget for the following year has
been approved without further discussion, although two delegates noted that the cost of travel had increased considerably.`,
  'technical English': `The server opens one connection for each worker and keeps it until the worker stops. If a query takes longer
than its timeout, the pool closes the socket and retries the query once on another connection. Set \`pool.size\` to the number of CPU
cores (see [Tuning](tuning.md)); a larger value rarely helps, because the database then spends its time on locks.`,
  German: `Im Herbst zogen die Nachbarn aus dem alten Haus am Marktplatz aus, weil die Miete zu hoch geworden war. Die Verwaltung
versprach eine Lösung, doch bis zum Frühjahr geschah nichts. Schließlich gründeten mehrere Familien eine Genossenschaft und kauften das
Gebäude. Heute gibt es dort eine Werkstatt, einen Gemüsegarten und regelmäßige Veranstaltungen für Kinder.`,
  French: `Le matin, les pêcheurs rentrent au port et déchargent leurs caisses avant l'ouverture du marché. Ma grand-mère choisissait
toujours les sardines elle-même, parce qu'elle ne faisait confiance à personne. Ensuite, nous prenions un café près de l'église en
regardant passer les touristes. C'était une époque où tout semblait plus simple, même si l'hiver était très froid.`,
  Spanish: `Cuando llegamos al pueblo ya era de noche y todas las tiendas estaban cerradas. Una señora nos ofreció agua y nos explicó
cómo encontrar la pensión. Al día siguiente subimos hasta el castillo, desde donde se veía el valle entero. Los niños corrían entre las
piedras mientras nosotros buscábamos un poco de sombra para descansar.`,
  Polish: `Po długiej podróży pociągiem dotarliśmy wreszcie do małego miasteczka nad jeziorem. Gospodarz przywitał nas serdecznie i
pokazał pokój z widokiem na wodę. Wieczorem usiedliśmy przy ognisku, a dzieci opowiadały wymyślone historie o duchach. Następnego dnia
padał deszcz, więc graliśmy w karty i piliśmy gorącą herbatę.`,
  Turkish: `Sabah erkenden pazara gittik ve taze sebzeler aldık. Yaşlı bir adam bize köyün eski günlerini anlattı. Öğleden sonra hava
ısındı, çocuklar nehirde yüzmeye başladılar. Akşam yemeğinden sonra komşular bahçede toplandı; çay içip geç saatlere kadar sohbet ettiler.`,
  Vietnamese: `Buổi sáng, bà tôi thường dậy sớm để nấu cơm và tưới rau trong vườn. Sau khi ăn xong, chúng tôi đi bộ ra chợ mua cá và trái
cây. Trời hôm đó rất đẹp, gió thổi nhẹ và ai cũng vui vẻ. Buổi tối cả nhà ngồi quanh bàn, kể cho nhau nghe những chuyện ngày xưa.`,
  Russian: `Утром мы вышли из дома и направились к реке, где нас уже ждал старый лодочник. Он молча взял вещи и сел за вёсла. Вода была
спокойной, над лесом поднимался туман. К полудню мы добрались до другого берега и развели костёр. Вечером хозяйка рассказала нам, как
строили эту деревню после войны.`,
  Ukrainian: `Восени діти знову пішли до школи, а дорослі почали збирати врожай. На подвір'ї пахло яблуками та димом. Бабуся варила
варення й розповідала онукам давні казки. Коли настав вечір, уся родина зібралася за великим столом і довго розмовляла про майбутнє.`,
  Greek: `Το πρωί κατεβήκαμε στο λιμάνι για να δούμε τα καΐκια που γύριζαν από το ψάρεμα. Οι γέροι κάθονταν στο καφενείο και μιλούσαν
για τον καιρό. Το μεσημέρι φάγαμε κάτω από τα δέντρα και μετά κοιμηθήκαμε λίγο. Το βράδυ όλο το χωριό μαζεύτηκε στην πλατεία. Η κυβέρνηση
ανακοίνωσε νέα μέτρα για την προστασία του περιβάλλοντος και την ενίσχυση των μικρών επιχειρήσεων. Σύμφωνα με την έκθεση, η ανεργία μειώθηκε
κατά το τελευταίο τρίμηνο, ενώ οι τιμές των προϊόντων παρέμειναν σταθερές. Ο υπουργός τόνισε ότι η συνεργασία με τους δήμους
είναι απαραίτητη
και ότι κάθε πολίτης μπορεί να υποβάλει προτάσεις μέσω του διαδικτύου.`,
  Arabic: `خرجنا في الصباح الباكر إلى السوق القديم حيث يبيع التجار الخضروات والتوابل. كان الجو باردا والشوارع خالية من الناس. جلس جدي
أمام المقهى وتحدث مع أصدقائه عن أخبار المدينة. وبعد الظهر عدنا إلى البيت وأعدت أمي طعاما لذيذا للعائلة كلها.`,
  Persian: `صبح زود از خانه بیرون آمدیم و به سمت کوه رفتیم. هوا خنک بود و صدای پرندگان از میان درختان شنیده می‌شد. نزدیک ظهر کنار چشمه
نشستیم و چای خوردیم. پدرم درباره سال‌های جوانی خود حرف زد و ما با دقت گوش کردیم. شب که شد به خانه برگشتیم.`,
  Hebrew: `בבוקר יצאנו אל השוק כדי לקנות ירקות ופירות לשבת. המוכר הזקן חייך אלינו ונתן לילדים תפוחים במתנה. אחר כך ישבנו בבית קפה קטן
וקראנו עיתון. בערב הגיעו השכנים, וכולם דיברו על הבניין החדש שהעירייה מתכננת ליד הגן. הממשלה הודיעה היום על תוכנית חדשה לשיפור התחבורה
הציבורית בערים הגדולות. לדברי השר, העבודה תתחיל בשנה הבאה ותימשך כמה חודשים. תושבים רבים תומכים ברעיון, אך אחרים חוששים מעליית המחירים.
אפשר להגיש הצעות דרך האתר עד סוף החודש, וכל משתמש יקבל תשובה בתוך שבועיים.`,
  Hindi: `सुबह हम लोग जल्दी उठकर नदी के किनारे घूमने गए। वहाँ कुछ किसान अपने खेतों में काम कर रहे थे और बच्चे पेड़ के नीचे खेल रहे थे।
दोपहर में तेज़ बारिश शुरू हो गई, इसलिए हम एक पुराने मंदिर में रुक गए। शाम को दादी ने गरम रोटी और सब्ज़ी बनाई और सबको एक कहानी सुनाई।`,
  Bengali: `সকালে আমরা নদীর ধারে হাঁটতে গিয়েছিলাম। সেখানে জেলেরা নৌকা থেকে মাছ নামাচ্ছিল। দুপুরে হঠাৎ বৃষ্টি শুরু হলে আমরা একটা
পুরোনো বাড়ির বারান্দায় দাঁড়ালাম। সন্ধ্যায় মা সবার জন্য খিচুড়ি রান্না করলেন এবং দাদু ছোটবেলার গল্প শোনালেন। সরকার আগামী বছরের জন্য
নতুন পরিকল্পনা প্রকাশ করেছে। বিশেষজ্ঞরা বলেন, এই প্রকল্প সফল হলে গ্রামের মানুষের জীবন অনেক সহজ হবে। ব্যবহারকারীরা ইন্টারনেটের মাধ্যমে
আবেদন করতে পারবেন এবং কয়েক দিনের মধ্যে উত্তর পাবেন। আরও তথ্যের জন্য আমাদের ওয়েবসাইট দেখুন এবং নির্দেশাবলী অনুসরণ করুন।`,
  Tamil: `காலையில் நாங்கள் ஆற்றங்கரைக்கு நடந்து சென்றோம். அங்கே சில விவசாயிகள் வயலில் வேலை செய்து கொண்டிருந்தார்கள். மதியம் மழை
பெய்ய ஆரம்பித்ததால் ஒரு பழைய கோவிலில் தங்கினோம். மாலையில் பாட்டி அனைவருக்கும் உணவு சமைத்து ஒரு கதை சொன்னார்.`,
  Thai: `เช้าวันนี้เราออกไปเดินเล่นที่ตลาดริมแม่น้ำ มีคนขายผักผลไม้และอาหารหลายอย่าง คุณยายซื้อปลาสดมาทำแกงให้ทุกคนกินตอนเที่ยง
หลังจากนั้นฝนก็ตกหนัก เราจึงนั่งคุยกันในบ้านจนถึงเย็น เด็กๆ ชอบฟังเรื่องเก่าที่คุณตาเล่าให้ฟังเสมอ`,
  Chinese: `早上我们沿着河边散步，看见几位老人正在打太极拳。市场里卖菜的人很多，空气中飘着面包的香味。中午突然下起大雨，我们只好躲进一家
小书店。老板给我们倒了热茶，还介绍了这座城市的历史。晚上全家人一起吃饭，孩子们讲了学校里发生的趣事。`,
  Japanese: `朝早く起きて、川のそばを散歩しました。市場では魚や野菜を売る人たちが大きな声で話していました。昼から急に雨が降り始めたので、
小さな喫茶店に入ってコーヒーを飲みました。店の主人は昔の町の写真を見せてくれました。夜は家族みんなで鍋を食べ、ゆっくり過ごしました。政府は来年度の
予算案を発表し、地方の交通機関を改善するための計画を説明した。専門家によると、人口の減少が続く地域では新しいサービスの導入が必要である。
利用者はインターネットから簡単に申し込むことができ、手続きは数分で完了する。なお、詳しい条件については公式サイトを確認してください。`,
  Korean: `아침 일찍 일어나 강가를 따라 산책했다. 시장에는 채소와 생선을 파는 사람들이 많았고 아이들은 골목에서 뛰어놀았다. 점심때 갑자기
비가 내려서 우리는 작은 서점에 들어갔다. 주인은 따뜻한 차를 내주며 이 도시의 역사를 이야기해 주었다. 저녁에는 온 가족이 함께 밥을 먹었다. 정부는 내년
예산을 발표하면서 지역 교통을 개선하기 위한 계획을 설명했다. 전문가들은 인구가 줄어드는 지역에 새로운 서비스가 필요하다고 말했다. 사용자는
인터넷에서 간단하게 신청할 수 있으며, 절차는 몇 분 안에 끝난다. 자세한 내용은 공식 홈페이지에서 확인할 수 있다.`,
  TypeScript: `export class Pool<T> implements Disposable {
  readonly #idle: T[] = [];
  #open = 0;

  constructor(private readonly create: () => Promise<T>, private readonly limit = 10) {}

  /** Lends a resource, and waits while all of them are lent. */
  async acquire(signal?: AbortSignal): Promise<T> {
    const found = this.#idle.pop();
    if (found !== undefined) return found;
    if (this.#open >= this.limit) await this.#waitForOne(signal);
    this.#open++;
    return this.create();
  }
}`,
  Python: `from dataclasses import dataclass, field


@dataclass
class Order:
    number: int
    lines: list["Line"] = field(default_factory=list)

    @property
    def total(self) -> float:
        """Sum of all lines, without taxes."""
        return sum(line.price * line.quantity for line in self.lines)

    def add(self, line: "Line") -> None:
        if line.quantity <= 0:
            raise ValueError(f"quantity must be positive, not {line.quantity}")
        self.lines.append(line)
`,
  Go: `func (s *Store) Get(ctx context.Context, key string) ([]byte, error) {
\ts.mu.RLock()
\tdefer s.mu.RUnlock()
\titem, ok := s.items[key]
\tif !ok {
\t\treturn nil, fmt.Errorf("get %q: %w", key, ErrNotFound)
\t}
\tif item.expires.Before(time.Now()) {
\t\treturn nil, ErrExpired
\t}
\treturn append([]byte(nil), item.value...), nil
}
`,
  Rust: `impl<'a> Parser<'a> {
    pub fn next_token(&mut self) -> Result<Token<'a>, ParseError> {
        self.skip_whitespace();
        match self.chars.peek() {
            None => Ok(Token::End),
            Some((start, c)) if c.is_ascii_digit() => self.number(*start),
            Some((start, '"')) => self.string(*start),
            Some((at, other)) => Err(ParseError::Unexpected { at: *at, found: *other }),
        }
    }
}
`,
  Java: `@Service
public class InvoiceService {
    private final InvoiceRepository repository;

    public InvoiceService(InvoiceRepository repository) {
        this.repository = repository;
    }

    @Transactional(readOnly = true)
    public Optional<Invoice> findByNumber(String number) {
        Objects.requireNonNull(number, "number must not be null");
        return repository.findByNumber(number.trim().toUpperCase(Locale.ROOT));
    }
}
`,
  C: `static int read_line(struct buffer *buf, char *out, size_t size)
{
\tsize_t n = 0;

\twhile (n + 1 < size && buf->pos < buf->len) {
\t\tchar c = buf->data[buf->pos++];
\t\tif (c == '\\n')
\t\t\tbreak;
\t\tout[n++] = c;
\t}
\tout[n] = '\\0';
\treturn n > 0 || buf->pos < buf->len ? (int)n : -1;
}
`,
  SQL: `SELECT c.name, COUNT(o.id) AS orders, SUM(o.total) AS revenue
FROM customers c
LEFT JOIN orders o ON o.customer_id = c.id AND o.created_at >= NOW() - INTERVAL '30 days'
WHERE c.country IN ('DE', 'FR', 'PL')
GROUP BY c.name
HAVING SUM(o.total) > 1000
ORDER BY revenue DESC
LIMIT 20;
`,
  HTML: `<section class="card" id="profile">
  <h2>Your profile</h2>
  <form action="/profile" method="post">
    <label for="name">Name</label>
    <input type="text" id="name" name="name" required maxlength="80" />
    <button type="submit" class="button primary">Save changes</button>
  </form>
</section>
`,
  CSS: `.card {
  display: grid;
  grid-template-columns: repeat(auto-fill, minmax(240px, 1fr));
  gap: 1rem;
  padding: 16px 24px;
  border: 1px solid rgba(0, 0, 0, 0.12);
  border-radius: 8px;
}
.card > h2:hover { color: #1a73e8; text-decoration: underline; }
`,
  YAML: `services:
  web:
    image: nginx:1.27
    ports:
      - "8080:80"
    depends_on: [api]
    environment:
      LOG_LEVEL: info
      API_URL: http://api:3000/v1
  api:
    build: ./api
    restart: unless-stopped
`,
  shell: `#!/bin/sh
set -eu
for file in "$@"; do
  if [ ! -f "$file" ]; then
    echo "missing: $file" >&2
    exit 1
  fi
  sha256sum "$file" | cut -d' ' -f1 > "\${file}.sha256"
done
grep -rn --include='*.log' 'ERROR' /var/log | sort | uniq -c | head -20
`,
};
