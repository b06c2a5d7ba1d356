export const messages = {
  'support.title': 'Support',
  'support.subtitle': 'Most answers are below. If yours is not, write to us.',
  'support.topics': 'Help topics',
  'support.setup': 'Set up a board',
  'support.setup.short': 'From the box to the first lamp, step by step.',
  'support.wifi': 'Wi-Fi issues',
  'support.wifi.short': 'The board does not come online, or drops out.',
  'support.sync': 'Device sync',
  'support.sync.short': 'The app and the wall button do not agree.',
  'support.account': 'Account',
  'support.account.short': 'Codes, passwords, a lost phone, deletion.',
  'support.video': 'Setup video',
  'support.videoLabel': 'Setup video: pairing a board and switching its first lamp',
  'support.videoText':
    'What it shows: open My Devices, press Add device, enter the Wi-Fi, wait for “Your board is online”, switch a lamp.',
  'support.guide': 'User guide',
  'support.guideText': 'Everything on a few pages, to keep or to print.',
  'support.download': 'Download the user guide (PDF)',
  'support.contact': 'Write or call',
  'support.email': 'Email',
  'support.phone': 'Phone',
  'support.address': 'Address',
  'support.reply': 'Replies take 1 to 2 business days.',
  'support.hours': 'Business hours',
  'support.open': 'Sunday to Friday, 10:00 AM to 5:00 PM',
  'support.closed': 'Saturday: closed',
  'support.back': 'All help topics',
  'support.step': '{number, number}',
  'support.still': 'Still stuck?',
  'support.stillText':
    'Write to {email} with the MAC address of the board (My Devices shows it) and what you have tried.',
  'contactUs.title': 'Contact Us',
  'contactUs.subtitle': '{company} is reached by email, by phone, or at the door.',
  'contactUs.help': 'Looking for help with a board?',
  'contactUs.toSupport': 'Go to support',
  'topic.setup.intro': 'You need the board on the wall with power, the password of a 2.4 GHz Wi-Fi, and five minutes.',
  'topic.setup.1': 'Power the board',
  'topic.setup.1.body':
    'Have it wired by somebody qualified. A board that is not set up yet opens its own Wi-Fi for ten minutes after it gets power. Switch its power off and on for another ten.',
  'topic.setup.2': 'Join the board’s own Wi-Fi',
  'topic.setup.2.body':
    'On your phone, choose the network that the board has opened. The phone says that it has no internet there: stay connected.',
  'topic.setup.3': 'Tell it your Wi-Fi',
  'topic.setup.3.body':
    'In the app open My Devices and add a device, enter the name and password of your home Wi-Fi and send. The password goes from your phone to the board alone. A page of the board confirms it.',
  'topic.setup.4': 'Watch it come online',
  'topic.setup.4.body':
    'Go back to the app and to your home Wi-Fi. The ticks appear by themselves: reached, yours, online. Then give the board a name and a room.',
  'topic.setup.5': 'It stays at a step',
  'topic.setup.5.body':
    'Codes are good for ten minutes: begin again with a new one. Before “reached”: most often the Wi-Fi password; the board blinks red twice for a wrong one. After it: the router lets the board into the house but not out; see Wi-Fi issues.',
  'topic.wifi.intro':
    'A board needs 2.4 GHz Wi-Fi with a way to the server. Its wall buttons and its schedules keep working meanwhile.',
  'topic.wifi.1': 'The network is 5 GHz only',
  'topic.wifi.1.body':
    'Boards speak 2.4 GHz, which reaches through walls. Turn it on in the router, or give it a name of its own if both share one and the board does not find it.',
  'topic.wifi.2': 'The password was mistyped',
  'topic.wifi.2.body':
    'The board blinks red twice. Switch its power off and on, join its own Wi-Fi and set it up again. Press the eye beside the password field to see what you type.',
  'topic.wifi.3': 'The signal is weak',
  'topic.wifi.3.body':
    'A board that comes and goes is usually too far from the router, or behind concrete. Move the router, or add a repeater on the board’s side of the house.',
  'topic.wifi.4': 'The router was changed',
  'topic.wifi.4.body':
    'Give the new router the old name and password, and every board comes back by itself. Otherwise set each board up again with the new Wi-Fi.',
  'topic.wifi.5': 'Guests, filters and captive portals',
  'topic.wifi.5.body':
    'Guest networks often keep devices apart, and hotel-like sign-in pages cannot be answered by a board. Let boards use an ordinary network, and do not block port {mqttPort}.',
  'topic.sync.intro':
    'The app shows what the board says, never what it wishes. When the two seem to differ, one of these is why.',
  'topic.sync.1': '“Reconnecting…” is shown',
  'topic.sync.1.body':
    'Your phone has lost the server. Lamps on the page lose their light until the true state is back, so you never look at a stale one. Check the phone’s internet, then press Reconnect.',
  'topic.sync.2': '“No response from device”',
  'topic.sync.2.body':
    'The board did not confirm within four seconds, so the page went back to the last known state. If it happens often, look at the board’s signal under Wi-Fi issues.',
  'topic.sync.3': 'The board is offline',
  'topic.sync.3.body':
    'The card is dashed and says since when. Commands are refused at once and never done late. Press the wall button to see that the board has power; the app follows as soon as it is back.',
  'topic.sync.4': 'Somebody pressed the wall button',
  'topic.sync.4.body': 'That counts: the app follows within a second, and the logs name the wall button as the cause.',
  'topic.sync.5': 'A schedule did not run',
  'topic.sync.5.body':
    'Look into the logs: a board that was offline is listed as missed. Check that the schedule is active, its days, and the board’s time zone in its settings.',
  'topic.account.intro': 'What people ask about their account.',
  'topic.account.1': 'No code arrives',
  'topic.account.1.body':
    'Look into the spam folder, and check the address for a slip. A new code can be asked for after a minute; only the newest one works, for ten minutes and five attempts.',
  'topic.account.2': 'I forgot my password',
  'topic.account.2.body':
    'Press Forgot Password? at the login and enter your email or phone. The code, or the link in the mail, lets you choose a new one. Every place is logged out then.',
  'topic.account.3': 'My phone is lost',
  'topic.account.3.body':
    'Log in anywhere else, open Logged-in places in your profile and log the phone out; it takes effect within a second. If it was unlocked, change your password too.',
  'topic.account.4': 'My email or number changed',
  'topic.account.4.body':
    'Edit your profile and verify the new one. Until then the old one keeps logging you in, and is told of the change.',
  'topic.account.5': 'I move out, or give a board away',
  'topic.account.5.body':
    'Delete the board under My Devices: it forgets you at once and can be set up by somebody else. Delete Account in your profile does so with all of them.'
} as const
