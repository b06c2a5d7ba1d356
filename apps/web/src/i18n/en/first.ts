/** Texts of failed loads; they are part of the entry itself. */
export const messages = {
  'common.tryAgain': 'Try again',
  'common.loading': 'Loading...',
  'common.failedTitle': 'This did not load',
  'common.failedBody': 'The server gave no answer. Check your connection and try again.',
  'common.triesAgain': 'This page tries again by itself.',
  'common.reload': 'Reload the page',
  'common.newVersionTitle': 'A new version is here',
  'common.newVersionBody': 'Reload the page to use it.'
}
