"""Lines that people write in mails and that are no command: words to others, signatures, footers, quoted scraps."""

WORDS_TO_OTHERS = """
Thanks!
Thanks, nice move!
Thank you so much
Thx
Cheers
3 cheers
3 cheers for Wren!
5 €
3 $
Good game, everyone.
Good luck
Well played
well played, that hurt
Nice one 👍
👍
🙂
:-)
...
—
--
-
Ok
OK
ok, sounds good
Sure
No problem
No
Nope
Yes, that was me
Yes I think so too
yes we can
Yep
Hello
Hello Robin,
Hi all,
Hi everyone
Dear Robin
Sorry for the delay!
Sorry, I was ill.
Catch you later
catch you later!
Catch up soon?
catch up on Friday
Catch me if you can
stop it, you two
Stop it!
stop that
Stop right there, dragon
Stop by whenever you like
Bribe me and I will think about it
I surrender to the dragon's charm
Surrender is not in my dictionary
Gold is overrated
Gold! At last!
gold fever, eh
Gem of a move
Gems are pretty
Black is beautiful
Green with envy here
Yellow looks strong
Purple is winning again
orange you glad
Hall of fame stuff
Hall 3, Messe Frankfurt
board looks great
Board games are the best
The board looks great
Board meeting at 5
hand on heart, I had no choice
Hands up who saw that coming
Hand in hand we go
Status: still waiting for the plumber
status quo then
History repeats itself
history of Rome is my thing
Rules are rules
rules of the road
Rules rule!
Rules apply.
rules ok?
The rules say otherwise
Help is on its way
Help, I can't move!
help yourself
Games night on Friday?
games tonight?
Games are fun
New phone, who dis
New York is calling
New year, new luck
new job, less time
new 3 bedroom house for sale
Join us for dinner
join me tomorrow
Join the club
Accept my apologies
accept that it is over
Decline and fall
Decline of the west
Rematch? Any time!
Resign yourself to it
leave it with me
Leave me out of this
Leave on Monday
Back to you
Back in the office Monday
back soon
Back at it
Back home at last
away until Monday, back soon
Away until 13 May, up in the hills without a phone.
away from my desk
Away game tomorrow
Away we go
digest that first
Digest the news slowly
pause for thought
Pause that thought
resume normal service
Resume attached
Unsubscribe here
Unsubscribe from this list
Unsubscribe at any time by visiting our page
subscribe to my channel
name: Odile Ferrand
Name: Odile
name of the file from which to read what was meant
zone of danger
Lowest prices guaranteed
Help dragon riders in need
Drawing to a close
drawing a blank
Cards on the table
cards against humanity?
Note: this message is confidential.
NOTE: The contents of this mail are for the addressee only
Please note that I am away.
Please stop whining
Please help me out here
please hand it over
Please
61 Bertrand moved an orange knight from m4 to m5.
12 knights went from t1 to m3
I say we wait
They say it rains tomorrow
Say, have you seen Wren?
Day off today
Way to go!
May the best win
Not now
Not my best turn
Vote for me
notes from the underground
Stay safe
I will move t1 next time
My move was t1 m3, sorry
I hope t1 m3 was fine
Was it m3?
see you at 3
see you on the 3rd
3 of us are in
3 more days please
3 days left
3 months ago
2 minutes
5 stars
10 points for style
1st!
2nd place again
4ever
12 May
12 May 2025
3/4/2025
2025-04-26
26.4.2025
14:00
5 pm
2025
50667
50667 Köln
01 99 00 03 14
555 010 203
+44 20 7946 0303
0303 | Desk 3
(0)20 7946 0303
1 2 3 4 5
Play fair
play nice, children
Move along, nothing to see
move over
take care
Take it easy
Choose wisely
pick me
No idea
My turn again?
My gold!
option three was better
t1 was a mistake on my part
t1, I think, is where it hurts
M3 looks like a traffic jam
m25 closed today
C4 would help here
show me the way
see you
see black if you must
get well soon
view from here is great
Let me think about it
I'm thinking
will answer tonight
Best
Best,
Kind regards
Kind regards,
Best wishes
Regards
All the best,
Love,
Yours sincerely
Have a nice weekend
Happy birthday, Ada!
What a game
wow
haha
hmm
lol
Argh!
to be continued
And now?
are you there?
who is next
whose turn is it
when is the deadline?
how do I stop these mails?
can I take back my move?
what does stop do
is this thing on
always nice to play
Always catch the bus
always bribe a policeman
Always!
plan to be away
Plan B it is
plan a trip
plan to move t1 next
My plan was t1 m3
planning ahead
Plans change
Planes, trains and automobiles
vote for me
Vote early, vote often
vote with your feet
votes are in
night all!
Night!
Night
Night, all
night night
night shift again
Night 2 was better
nights are long
nightmare fuel
days off were great
Days off soon
days like these
Days
days go by
Day off Monday
Day 3 and counting
order pizza?
Order! Order!
order of magnitude
Order 66
in order to win
Orders from above
orders are orders
Standing ovation!
Standing by
resume the game on Monday please
Resume play next week?
Resume whenever you like
absence makes the heart grow fonder
Absent friends
pace yourself
Pace of play is fine
peace
place your bets
pack it in
away from Monday
away on business
Away from the keyboard
never mind
never again
never me
at most 2 more turns
while I have you
leader of the pack
If I had known
if you like
If I move t1 then you catch me
else?
else I am fine
plan: if Wren moves, then I stop
plan if it rains then stop for tea
extend my regards
bank holiday today
one
two knights lost, poor me
one more week
on
off
open
mail
"""

SIGNATURES = """
Tamsin Hale
Night scheduling, Hale Freight
T: +44 20 7946 0303 | Desk 3
Odile Ferrand
Atelier de reliure Ferrand
3, impasse des Tanneurs
3e étage
Tél. : 01 99 00 03 14
Pilar Ochoa
Tel. +34 555 010 203
extensión 7
Robin
Robin Vale
R.
Wren
Wren :)
Ada
Lea
Lea M.
Han
Hans
Hana
Rem
Dec
Declan
Gemma
Golda
Goldie
James
Jules
Jack
Bach
Mack
Bard
Blake
Greenwood
Greta
Halle
Halle (Saale)
Hall & Sons
Hallam
Stopford
Backe
Becky
Nam Nguyen
Nate
Noel
Yves
Les
Wes
Gomes
TL
ML
MI
ti
T. Lind
M. Lind
C3PO Fan Club
C5, rue des Lilas
M3 Consulting
M6 Métropole Télévision
T4 Building, Floor 2
Hall 7
Night Desk
Bank of Scotland
James Order
3rd floor
12 Rue de la Paix
7 Acacia Avenue
221B Baker Street
Desk 3
Room 12
Apt 4
PO Box 12
Sent from my iPhone
Sent from my phone
Von meinem iPhone gesendet
Envoyé de mon iPhone
Enviado desde mi iPhone
Inviato da iPhone
Get Outlook for iOS<https://aka.ms/o0ukef>
Get Outlook for Android
Sent with [Proton Mail](https://proton.me/mail/home) secure email.
Spelkväll mailing list -- spelkvall@lists.example.org
To unsubscribe send an email to spelkvall-leave@lists.example.org
you by mistake, please delete it and tell the sender. Hale Freight accepts no liability for any move,
catch or surrender made by e-mail. Please think of the trees before you print this message.
This message and anything attached to it are meant only for the person named above. If it reached
On Wed, Mar 12, 2025 at 10:02 AM Emerald <turns@emerald.example> wrote:
wrote:
Am 3.4.2025 um 18:40 schrieb Emerald:
El 21/4/25 a las 9:02, Emerald escribió:
2025年4月28日(月) 9:02 Emerald <turns@emerald.example> さんは書きました:
From: Emerald <turns@emerald.example>
Sent: 08 April 2025 07:31
Subject: Your turn in "Moonlit Quarry" (turn 9)
-----Original Message-----
________________________________
> t1 m3 gem
>t1 m3
> > status
>> 3
a | . | . | t2| . | P |
+---+---+---+
https://emerald.example/m/abcdef
robin.vale@example.com
www.example.com
Twitter: @robin
"""

OTHER_TONGUES = """
Danke!
Danke dir, bis morgen
Vielen Dank
Gruß, Maren
Viele Grüße
Mit freundlichen Grüßen
Ich bin bis Montag weg
3 Tage noch
Noch 3 Tage
Gold und Silber lieb ich sehr
Hand aufs Herz
Regeln sind Regeln
Halle an der Saale
Merci beaucoup
Merci !
À bientôt
Bonne soirée à tous
Bonjour,
Cordialement,
Voilà mon plateau en vrai :
Stop ou encore ?
3 jours
Gracias
Hasta luego
Un saludo,
mi hermano
mi turno?
No entiendo nada
Grazie mille
ci vediamo domani
Ciao!
ti saluto
Saluti
Tack så mycket
Hälsningar
tack för middagen, Åsa
Takk!
Kiitos
Dzięki!
Pozdrawiam
Děkuji
Köszönöm
Teşekkürler
Obrigado
Até amanhã
Спасибо!
С уважением
Дякую
Ευχαριστώ
תודה
شكرا
ありがとう
谢谢
고마워요
🍀🍀🍀
"""


def lines(text: str) -> list[str]:
    """One case a line."""
    return [line for line in text.splitlines() if line.strip()]


PROSE = [*lines(WORDS_TO_OTHERS), *lines(SIGNATURES), *lines(OTHER_TONGUES)]
