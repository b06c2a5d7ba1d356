export const messages = {
  'reference.title': 'API reference',
  'reference.subtitle': 'Every call, with what it takes and answers. The same as files:',
  'reference.failed': 'Failed to load the API reference',
  'reference.find': 'Find a call',
  'reference.groups': 'Groups of calls',
  'reference.none': 'No call matches that.',
  'reference.required': 'required',
  'reference.parameters': 'Parameters',
  'reference.body': 'Body',
  'reference.answers': 'Answers',
  'reference.try': 'Try it',
  'reference.as': 'Sent as {name}, for real: what it changes is changed.',
  'reference.needLogin': 'This call needs a login: log in first, or see what it answers without.',
  'reference.send': 'Send',
  'reference.status': 'Answered with {status}',
  'reference.noAnswer': 'No answer'
} as const
