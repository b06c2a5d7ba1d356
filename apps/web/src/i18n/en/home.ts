export const messages = {
  'home.greeting': 'Hi! {name}',
  'home.welcome': 'Welcome to our smart switch',
  'home.schedules': 'Schedules',
  'home.areOn': 'switches are ON',
  'home.ofTotal': '/ {count, number} total switches',
  'home.unknown': '{count, number} unknown',
  'home.rooms': 'Rooms',
  'home.allRooms': 'All rooms',
  'home.favorites': 'Favourite Switches',
  'home.allFavorites': 'All favourites',
  'home.toggled': '{name} turned {state, select, on {ON} other {OFF}}',
  'home.failed': 'Your home did not load',
  'home.noBoards': 'No boards yet',
  'home.noBoardsHint': 'Plug a board in and connect it to your Wi-Fi: it takes about a minute.',
  'home.noFavorites': 'No favourite switches yet',
  'home.noFavoritesHint': 'Press the heart of a switch, and it is one tap away here.',
  'home.chooseFavorites': 'Choose from all switches'
} as const
