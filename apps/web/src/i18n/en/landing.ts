export const messages = {
  'landing.headline': 'Come home to the light',
  'landing.lead':
    '{brand} puts the switches of your home into your hand. Tap a lamp and it is on; press the wall button and the app knows. Nothing is shown that the board has not confirmed.',
  'landing.signUp': 'Create Account',
  'landing.login': 'Login',
  'landing.open': 'Open my home',
  'landing.try': 'Try it: this room is yours',
  'landing.room': 'A room at dusk: {lit, plural, =0 {everything is off} one {# thing is on} other {# things are on}}',
  'landing.on': 'On',
  'landing.off': 'Off',
  'landing.ceiling': 'Ceiling lamp',
  'landing.reading': 'Reading lamp',
  'landing.fan': 'Fan',
  'landing.kettle': 'Kettle',
  'landing.truth': 'It never shows a stale lamp',
  'landing.truth.body':
    'Each tap waits for the board’s own word, four seconds at most. When the connection is lost, the lamps on the screen lose their light until the truth is back.',
  'landing.why': 'It tells you why',
  'landing.why.body':
    'Who turned it on, from where, and when: a person, a schedule, the wall button, or the power coming back.',
  'landing.wall': 'The wall buttons still work',
  'landing.wall.body':
    'They switch without Wi-Fi. Schedules are copied to the boards and run while the internet is away.',
  'landing.yours': 'It is yours',
  'landing.yours.body':
    'Runs on a small computer at home, if you like. Wi-Fi passwords go to the board alone; every logged-in phone can be named and logged out.',
  'landing.see': 'What you will see',
  'landing.see.home': 'Home: what is on, with one glance',
  'landing.see.board': 'A board: its lamps, its fan and its socket',
  'landing.see.profile': 'Your account: named places, one press to log one out',
  'landing.see.alt': 'Screen of the app. {caption}',
  'landing.start': 'Four steps from box to light',
  'landing.start.1': 'Power the board',
  'landing.start.2': 'Join its Wi-Fi',
  'landing.start.3': 'Tell it yours',
  'landing.start.4': 'Tap the lamp',
  'landing.start.number': '{number, number}',
  'landing.start.more': 'See the setup in a minute',
  'landing.end': 'Tonight, turn the last lamp off from bed.'
} as const
