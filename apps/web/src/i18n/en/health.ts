export const messages = {
  'health.title': 'Health',
  'health.silent': 'silent',
  'health.failing': 'failing',
  'health.flapping': 'flapping',
  'health.weak': 'weak',
  'health.outdated': 'outdated',
  'health.never-seen': 'never seen'
} as const
