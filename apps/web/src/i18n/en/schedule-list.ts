export const messages = {
  'scheduleList.gone': 'This schedule has been deleted',
  'scheduleList.search': 'Search by name, switch or board',
  'scheduleList.count': '{count, plural, one {# schedule} other {# schedules}}',
  'scheduleList.noMatchHint': 'Try another word, or show all schedules.',
  'scheduleList.more': 'Show more',
  'scheduleList.shown': '{shown, number} of {total, number}'
} as const
