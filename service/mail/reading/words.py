"""What mail programs write in the languages of their users. Data only, in lower case; compared casefolded.

Where a mail program can be recognised by the shape of what it writes, the rules beside this module go by the shape;
these words are for what has none.
"""

from __future__ import annotations

from typing import Final

#: In the line above a quote: "On Monday NAME wrote:", in whichever place of it.
WROTE: Final = (
    "wrote", "writes", "written by", "schrieb", "schreibt", "geschrieben", "a écrit", "écrit", "a ecrit", "escribió",
    "escribio", "escribiu", "escreveu", "ha scritto", "scrisse", "scritto", "schreef", "geschreven", "skrev",
    "skriver", "kirjoitti", "napisał", "napisała", "napisał(a)", "pisze", "napsal", "napsala", "napsal(a)", "napísal",
    "napísala", "napísal(a)", "írta", "a scris", "написа", "написал", "написала", "написал(а)", "пишет", "написав",
    "пише", "yazdı", "yazmış", "έγραψε", "書きました", "さんのメール", "写道", "寫道", "写到", "님이 작성",
    "작성했습니다", "썼습니다", "님이 쓴 글", "đã viết", "viết", "menulis", "כתב", "כתבה", "كتب", "เขียน",
    "je napisao", "je napisala", "je napisal", "napisao", "је написао", "rašė", "parašė", "rakstīja", "kirjutas",
    "va escriure", "idatzi zuen", "skrifaði", "scríobh", "ysgrifennodd", "shkroi", "напісаў", "напиша",
    "نوشت", "تمت كتابة", "missatge de",
)  # fmt: skip

#: The words before the colon in a block of headers that stands above a mail without quote marks.
FROM: Final = (
    "from", "von", "de", "da", "van", "od", "fra", "från", "lähettäjä", "kimden", "gönderen", "от", "от кого", "від",
    "від кого", "差出人", "送信者", "发件人", "寄件者", "寄件人", "보낸 사람", "보낸사람", "feladó", "de la", "από",
    "expéditeur", "remitente", "mittente", "avsändare", "afsender", "avsender", "afzender", "absender", "remetente",
    "nadawca", "odesílatel", "odosielateľ", "şuradan", "מאת", "من", "จาก", "từ", "dari", "šalje", "pošiljatelj",
    "saatja", "nuo", "no", "ad", "от:",
)  # fmt: skip
OTHER_HEADERS: Final = (
    "sent", "date", "to", "subject", "cc", "bcc", "reply-to", "reply to", "importance", "priority", "attachments",
    "gesendet", "datum", "an", "betreff", "antwort an", "wichtigkeit", "priorität", "anlagen", "envoyé", "envoyé le",
    "date d'envoi", "à", "objet", "répondre à", "enviado", "enviado el", "enviado em", "enviada em", "enviada",
    "fecha", "para", "asunto", "assunto", "data", "inviato", "data invio", "a", "oggetto", "verzonden", "aan",
    "onderwerp", "datum verzending", "skickat", "till", "ämne", "sendt", "til", "emne", "dato", "lähetetty",
    "vastaanottaja", "aihe", "päivämäärä", "päiväys", "wysłano", "wysłane", "do", "temat", "odesláno", "komu",
    "předmět", "odoslané", "predmet", "dátum", "elküldve", "címzett", "tárgy", "trimis", "către", "subiect",
    "изпратено", "до", "относно", "тема", "дата", "отправлено", "кому", "отправлен", "надіслано", "gönderildi",
    "gönderme tarihi", "kime", "konu", "tarih", "στάλθηκε", "προς", "θέμα", "ημερομηνία", "送信日時", "日時", "日付",
    "宛先", "件名", "发送时间", "发送日期", "日期", "时间", "收件人", "抄送", "主题", "主旨", "傳送時間", "寄件日期",
    "收件者", "副本", "보낸 날짜", "날짜", "받는 사람", "받는사람", "제목", "참조", "kopie", "kopia", "kopi", "kópia",
    "másolatot kap", "cco", "cci", "copie", "копия", "копія", "bilgi", "נשלח", "אל", "נושא", "تاريخ", "إلى",
    "الموضوع", "ถึง", "เรื่อง", "tới", "đến", "chủ đề", "ngày", "kepada", "tanggal", "poslano", "prima", "zadeva", "za",
    "saadetud", "kellele", "teema", "išsiųsta", "kam", "tema", "nosūtīts", "gửi",
)  # fmt: skip

#: Above a forwarded or an original mail, where no dashes stand around them.
FORWARDED: Final = (
    "begin forwarded message", "forwarded message", "original message", "anfang der weitergeleiteten nachricht",
    "weitergeleitete nachricht", "ursprüngliche nachricht", "début du message réexpédié",
    "début du message transféré", "message transféré", "message d'origine", "message original",
    "inicio del mensaje reenviado", "mensaje reenviado", "mensaje original", "inizio messaggio inoltrato",
    "messaggio inoltrato", "messaggio originale", "begin doorgestuurd bericht", "doorgestuurd bericht",
    "oorspronkelijk bericht", "início da mensagem encaminhada", "início da mensagem reencaminhada",
    "mensagem encaminhada", "mensagem original", "vidarebefordrat brev", "vidarebefordrat meddelande",
    "ursprungligt meddelande", "start på videresendt besked", "videresendt besked", "start på videresendt melding",
    "videresendt melding", "opprinnelig melding", "oprindelig meddelelse", "välitetty viesti alkaa",
    "välitetty viesti", "alkuperäinen viesti", "początek przekazywanej wiadomości", "wiadomość przekazana dalej",
    "wiadomość oryginalna", "původní zpráva", "přeposlaná zpráva", "pôvodná správa", "továbbított üzenet",
    "eredeti üzenet", "mesaj redirecționat", "mesajul original", "пересылаемое сообщение",
    "начало переадресованного сообщения", "исходное сообщение", "пересланное сообщение", "оригінальне повідомлення",
    "переслане повідомлення", "iletilen ileti", "iletilmiş mesaj", "özgün ileti", "orijinal mesaj",
    "προωθημένο μήνυμα", "αρχικό μήνυμα", "転送されたメッセージ", "元のメッセージ", "转发的邮件", "原始邮件",
    "轉寄的郵件", "原始郵件", "전달된 메시지", "원본 메시지", "원본 메일", "reply message", "reply all",
)  # fmt: skip

#: How a line begins that a phone or a program puts under what was typed.
SENT_FROM: Final = (
    "sent from", "sent via", "sent with", "sent using", "get outlook for", "get bluemail for", "typed on my",
    "from my iphone", "from my ipad", "on the go", "von meinem", "von unterwegs", "gesendet von", "gesendet mit",
    "gesendet über", "diese nachricht wurde von meinem", "outlook für", "holen sie sich outlook", "envoyé de",
    "envoyé depuis", "envoyé à partir", "envoyé avec", "envoyé par", "obtenir outlook", "obtenez outlook",
    "télécharger outlook", "enviado desde", "enviado con", "enviado do", "enviado de", "enviado a partir",
    "enviado pelo", "enviado com", "enviado via", "obtener outlook", "obter o outlook", "obtenha o outlook", "enviat",
    "inviato da", "inviato con", "inviato dal", "ottieni outlook", "scarica outlook", "verzonden vanaf",
    "verstuurd vanaf", "verzonden met", "verzonden via", "outlook voor", "download outlook", "skickat från",
    "skickades från", "hämta outlook", "skaffa outlook", "sendt fra", "sendt med", "hent outlook", "få outlook",
    "lähetetty", "hanki outlook", "wysłane z", "wysłano z", "wysłane przez", "pobierz outlook",
    "pobierz program outlook", "odesláno z", "odesláno pomocí", "získejte outlook", "odoslané z", "získať outlook",
    "trimis de pe", "trimis din", "obțineți outlook", "elküldve", "küldve", "iphone-omról", "отправлено с",
    "отправлено из", "отправлено через", "отправлено от", "послано с", "скачать outlook", "надіслано з",
    "надіслано через", "відправлено з", "изпратено от", "изпратено чрез", "στάλθηκε από", "εστάλη από",
    "λήψη του outlook", "iphoneから送信", "ipadから送信", "androidから送信", "outlook for ios を入手", "从我的",
    "发自我的", "發自我的", "从我的 iphone 发送", "來自我的", "從我的", "下载 outlook", "获取 outlook", "나의 iphone",
    "내 iphone", "iphone에서", "ipad에서", "android용 outlook", "ios용 outlook", "dikirim dari", "đã gửi từ",
    "được gửi từ", "gửi từ", "נשלח מ", "أرسلت من", "مرسل من", "تم الإرسال من", "ส่งจาก", "poslano z", "poslano s",
    "poslato sa", "išsiųsta iš", "saadetud minu", "nosūtīts no", "enviat des",
)  # fmt: skip
#: ... and how one ends, in languages that put it last.
SENT_FROM_ENDS: Final = (
    "gesendet", "gönderildi", "gönderilmiştir", "から送信", "에서 보냄", "에서 보냈습니다", "传送", "傳送", "发送",
    "を入手", "küldve", "verzonden", "verstuurd", "skickat", "ios için outlook'u edinin",
    "android için outlook'u edinin",
)  # fmt: skip

#: The last words before a name. Whatever comes after one is the signature.
SIGN_OFFS: Final = (
    "regards", "kind regards", "best regards", "warm regards", "warmest regards", "with kind regards",
    "with best regards", "many regards", "best wishes", "with best wishes", "all the best", "yours sincerely",
    "sincerely", "sincerely yours", "yours faithfully", "yours truly", "yours", "kindest regards", "rgds", "kr", "br",
    "warmly", "cordially", "respectfully", "take care", "with thanks", "many thanks and best regards",
    "thanks and regards", "thanks & regards", "mit freundlichen grüßen", "mit freundlichen grüssen",
    "mit freundlichem gruß", "mit freundlichem gruss", "freundliche grüße", "freundliche grüsse", "mit besten grüßen",
    "beste grüße", "beste grüsse", "viele grüße", "viele grüsse", "liebe grüße", "liebe grüsse", "lieben gruß",
    "schöne grüße", "herzliche grüße", "herzlichst", "schönen gruß", "gruß", "gruss", "grüße", "grüsse", "mfg", "lg",
    "vg", "hochachtungsvoll", "bis bald", "cordialement", "bien cordialement", "bien à vous", "bien à toi", "cdt",
    "cdlt", "salutations", "meilleures salutations", "sincères salutations", "amicalement", "amitiés", "bises",
    "bonne journée", "saludos", "saludos cordiales", "un saludo", "un cordial saludo", "cordialmente", "atentamente",
    "un abrazo", "abrazos", "cumprimentos", "melhores cumprimentos", "com os melhores cumprimentos", "atenciosamente",
    "abraço", "abraços", "um abraço", "att", "cordiali saluti", "distinti saluti", "saluti", "un saluto",
    "un caro saluto", "met vriendelijke groet", "met vriendelijke groeten", "vriendelijke groet",
    "vriendelijke groeten", "groet", "groeten", "groetjes", "hartelijke groet", "mvg", "med vänliga hälsningar",
    "med vänlig hälsning", "vänliga hälsningar", "vänligen", "hälsningar", "mvh", "med vennlig hilsen",
    "vennlig hilsen", "hilsen", "med venlig hilsen", "venlig hilsen", "venlige hilsner", "de bedste hilsner", "vh",
    "ystävällisin terveisin", "terveisin", "t.", "yst. terv.", "pozdrawiam", "z poważaniem", "pozdrowienia",
    "z wyrazami szacunku", "serdecznie pozdrawiam", "s pozdravem", "s pozdravom", "pozdravy", "zdravím",
    "üdvözlettel", "üdv", "tisztelettel", "cu stimă", "cu respect", "с уважением", "с наилучшими пожеланиями",
    "всего доброго", "всего хорошего", "з повагою", "з найкращими побажаннями", "с уважение", "поздрави",
    "saygılarımla", "saygılarımızla", "iyi günler", "sevgiler", "iyi çalışmalar", "με εκτίμηση", "φιλικά",
    "よろしくお願いします", "よろしくお願いいたします", "よろしくお願い致します", "敬具", "此致", "敬礼", "祝好",
    "顺祝商祺", "감사합니다", "드림", "올림", "trân trọng", "thân mến", "hormat saya", "בברכה", "مع التحية",
    "lep pozdrav", "lijep pozdrav", "srdačan pozdrav", "pagarbiai", "lugupidamisega", "ar cieņu", "salutacions",
)  # fmt: skip
#: Words that end a mail as often as they begin one.
THANKS: Final = (
    "thanks", "thank you", "many thanks", "thx", "ty", "cheers", "best", "love", "bye", "ciao", "danke",
    "vielen dank", "besten dank", "tschüss", "servus", "merci", "merci beaucoup", "à bientôt", "a bientôt", "salut",
    "salam", "gracias", "muchas gracias", "hasta luego", "obrigado", "obrigada", "grazie", "mille grazie", "a presto",
    "bedankt", "dank je", "dank u", "tack", "tack så mycket", "hej då", "takk", "tak", "mange tak", "kiitos", "moi",
    "dziękuję", "dzięki", "děkuji", "díky", "ďakujem", "köszönöm", "köszi", "mulțumesc", "спасибо", "дякую",
    "благодаря", "teşekkürler", "ευχαριστώ", "ありがとうございます", "谢谢", "謝謝", "cám ơn", "terima kasih", "תודה",
    "شكرا", "hvala", "ačiū", "aitäh",
)  # fmt: skip

#: How legal and technical paragraphs begin that an office puts under (or over) a mail.
DISCLAIMERS: Final = (
    "this message and any", "this message and anything", "this e-mail and any", "this email and any",
    "this message is", "this e-mail is", "this email is", "this message contains", "this e-mail contains",
    "this email contains", "this message may contain", "this e-mail may contain", "this email may contain",
    "this communication", "this transmission", "this electronic", "the information in this",
    "the information contained", "the contents of this", "the content of this", "if you are not the intended",
    "if you have received this", "if you received this", "any views or opinions", "please consider the environment",
    "please think of the", "think before you print", "confidentiality notice", "confidential", "disclaimer",
    "legal notice", "notice of confidentiality", "important notice", "privileged and confidential", "caution",
    "external email", "external message", "warning: this", "registered office", "registered in england",
    "diese e-mail", "diese email", "diese nachricht", "der inhalt dieser", "die information in",
    "die in dieser e-mail", "dieses dokument", "vertraulichkeitshinweis", "haftungsausschluss", "hinweis:",
    "sitz der", "geschäftsführer", "amtsgericht", "handelsregister", "bitte denken sie an die umwelt",
    "bitte prüfen sie", "ce message", "cet e-mail", "cet email", "ce courriel", "ce mail",
    "les informations contenues", "pensez à l'environnement", "avis de confidentialité", "este mensaje",
    "este correo", "esta comunicación", "este e-mail", "este email", "esta mensagem", "aviso legal",
    "aviso de confidencialidad", "antes de imprimir", "la información contenida", "as informações contidas",
    "questo messaggio", "questa e-mail", "questa email", "le informazioni contenute", "avviso di riservatezza",
    "ai sensi del", "dit bericht", "deze e-mail", "dit e-mailbericht", "de informatie in", "detta meddelande",
    "detta e-postmeddelande", "denna e-post", "denne e-post", "denne e-mail", "denne meddelelse", "denne meldingen",
    "tämä viesti", "tämä sähköposti", "ta wiadomość", "niniejsza wiadomość", "treść tej wiadomości", "tato zpráva",
    "táto správa", "ez az e-mail", "ez az üzenet", "acest mesaj", "acest e-mail", "это сообщение", "данное сообщение",
    "настоящее сообщение", "це повідомлення", "bu e-posta", "bu mesaj", "bu elektronik", "το παρόν", "αυτό το μήνυμα",
    "このメール", "本メール", "本邮件", "此邮件", "本郵件", "이 메일", "본 메일", "virus-free", "virenfrei", "avast",
    "avg", "scanned by", "this email has been checked", "this email has been scanned", "no virus found",
    "l'absence de virus", "garanti sans virus", "sans virus", "libre de virus", "privo di virus",
    "you received this message because", "you are receiving this", "to unsubscribe", "to view this discussion",
    "unsubscribe from this", "sie erhalten diese nachricht", "um sich abzumelden",
)  # fmt: skip

#: How subjects begin that machines write while somebody is away.
AWAY_SUBJECTS: Final = (
    "automatic reply", "auto reply", "auto-reply", "autoreply", "auto response", "auto-response", "automated reply",
    "automatic response", "automated response", "auto:", "out of office", "out of the office", "out-of-office",
    "ooo:", "on vacation", "vacation reply", "vacation:", "away from my mail", "away from the office",
    "abwesenheitsnotiz", "abwesenheitsbenachrichtigung", "abwesenheitsmeldung", "abwesenheitsassistent",
    "abwesenheit", "abwesend", "automatische antwort", "autom. antwort", "nicht im büro", "urlaub:",
    "réponse automatique",
    "message d'absence", "absence du bureau", "absent du bureau", "absente du bureau", "notification d'absence",
    "en congé", "respuesta automática", "respuesta automatica", "fuera de la oficina", "fuera de oficina",
    "resposta automática", "ausência temporária", "fora do escritório", "ausente do escritório",
    "risposta automatica", "fuori ufficio", "assenza dall'ufficio", "messaggio automatico", "automatisch antwoord",
    "automatische reactie", "niet op kantoor", "afwezig", "autosvar", "automatiskt svar", "automatiskt meddelande",
    "frånvaro", "ikke på kontoret", "automatisk svar", "fraværende", "fraværsmeddelelse", "fravær",
    "automaattinen vastaus", "poissaoloviesti", "poissa", "autoodpowiedź", "odpowiedź automatyczna",
    "automatyczna odpowiedź", "poza biurem", "nieobecność", "automatická odpověď", "automatická odpoveď",
    "mimo kancelář", "mimo kancelárie", "nepřítomnost", "automatikus válasz", "házon kívül", "răspuns automat",
    "în afara biroului", "автоответ", "автоматический ответ", "автоматична відповідь", "нет на месте", "отсутствие",
    "автоматичен отговор", "otomatik yanıt", "otomatik cevap", "ofis dışında", "αυτόματη απάντηση", "εκτός γραφείου",
    "自動応答", "自動返信", "不在通知", "不在のお知らせ", "自动答复", "自动回复", "自動回覆", "自動回复", "자동 회신",
    "자동 응답", "부재중", "trả lời tự động", "balasan otomatis", "תשובה אוטומטית", "מענה אוטומטי", "رد تلقائي",
    "ตอบกลับอัตโนมัติ", "automatski odgovor", "samodejni odgovor", "automatinis atsakymas", "automaatvastus",
    "automātiska atbilde", "automātiskā atbilde", "resposta automàtica", "پاسخ خودکار",
)  # fmt: skip

#: Subjects of machines that report how a mail fared, when they write no report that a machine can read.
BOUNCE_SUBJECTS: Final = (
    "undelivered mail returned", "undeliverable", "undelivered", "undeliverable mail", "delivery status notification",
    "delivery failure", "delivery failed", "delivery has failed", "delivery notification", "delivery report",
    "delivery delayed", "delayed mail", "delivery problem", "mail delivery failed", "mail delivery failure",
    "mail delivery problem", "mail delivery subsystem", "mail delivery system", "message delivery failure",
    "failure notice", "failed delivery", "failure delivery", "returned mail", "mail system error", "mail failure",
    "non-delivery", "nondeliverable mail", "non remis", "message status - undeliverable", "could not send message",
    "warning: could not send", "warning: message", "mail could not be delivered", "unzustellbar", "nicht zustellbar",
    "unzustellbare nachricht", "zustellung fehlgeschlagen", "zustellungsfehler", "zustellung verzögert",
    "fehler bei der zustellung", "échec de remise", "non distribuable", "non remis :", "message non distribué",
    "échec de la remise", "no se puede entregar", "no entregado", "error de entrega", "no se pudo entregar",
    "não entregue", "não foi possível entregar", "falha na entrega", "não é possível entregar",
    "recapito non riuscito", "impossibile recapitare", "non recapitabile", "mancato recapito", "onbestelbaar",
    "niet bezorgd", "kan inte levereras", "olevererbart", "kan ikke leveres", "uleveret", "ikke levert",
    "toimitus epäonnistui", "ei voi toimittaa", "nie można dostarczyć", "niedostarczalne", "niedostarczona",
    "nedoručitelné", "nedoručiteľné", "nie je možné doručiť", "kézbesíthetetlen", "imposibil de livrat",
    "недоставленное сообщение", "не доставлено", "не удалось доставить", "не вдалося доставити", "teslim edilemedi",
    "iletilemedi", "αδυναμία παράδοσης", "配信不能", "配信できません", "送信できませんでした", "未送达", "退信",
    "系统退信", "無法傳遞", "未傳遞的郵件", "배달되지 않음", "전송 실패", "returned to sender",
    "message could not be delivered", "message not delivered", "address not found",
)  # fmt: skip
#: In such a report: the mail may still arrive.
DELAYED_WORDS: Final = (
    "delayed", "will be retried", "will retry", "still being retried", "will keep trying", "will continue to try",
    "warning only", "not yet been delivered", "has not been delivered yet", "do not need to resend", "verzögert",
    "retardé", "attempts will continue", "still trying",
)  # fmt: skip
#: ... or would another day.
SOFT_WORDS: Final = (
    "temporary", "temporarily", "mailbox full", "mailbox is full", "over quota", "overquota", "quota exceeded",
    "exceeded storage", "exceeded its quota", "out of storage", "quota", "greylist", "try again later",
    "vorübergehend", "postfach voll", "postfach ist voll", "speicherplatz", "boîte pleine",
    "boîte aux lettres pleine", "buzón lleno", "caixa cheia", "casella piena", "postvak vol", "skrzynka pełna",
    "ящик переполнен",
)  # fmt: skip
#: ... and what such a report says when it did not arrive.
FAILURE_WORDS: Final = (
    "could not be delivered", "wasn't able to deliver", "was not able to deliver", "unable to deliver",
    "undeliverable", "delivery failed", "permanent error", "not be delivered", "user unknown", "qmail-send",
    "returned to sender",
)  # fmt: skip

#: Lines that stand alone in mails of ours, where a mail program quotes them without any mark.
HEADINGS: Final = (
    "you can", "your moves:", "your gold", "since your last turn", "scores so far", "the board", "the board, drawn",
    "with one click", "answer this mail",
)  # fmt: skip
