export const messages = {
  'rules.required': 'is required',
  'rules.roomName': 'Room name is required',
  'rules.switchName': "Name can''t be empty",
  'rules.role': 'Role is required.',
  'rules.tenDigits': 'Phone number must be exactly 10 digits.',
  'rules.email': 'Please enter an email such as sita@example.com.',
  'rules.whole': 'must be a whole number',
  'rules.oneLine': 'must not contain line breaks or control characters',
  'rules.scheduleTimes': 'Start time, start action, end time, and end action are required.',
  'rules.scheduleSwitch': 'You must provide switchId and switchIndex to set a schedule!',
  'rules.atMostCharacters': 'must be at most {count, number} characters',
  'rules.passwordShort': 'Password must be at least {count, number} characters.',
  'rules.passwordLong': 'Password must be at most {count, number} characters.',
  'rules.atLeast': 'must be at least {count, number}',
  'rules.atMost': 'must be at most {count, number}',
  'rules.fanIndexes': 'Number of fan indexes must exactly match number of fans ({count, number})',
  'rules.socketIndexes': 'Number of socket indexes must exactly match number of sockets ({count, number})'
} as const
