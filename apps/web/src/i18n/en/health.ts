export const messages = {
  'health.title': 'Health',
  'health.silent': 'silent',
  'health.failing': 'failing',
  'health.flapping': 'flapping',
  'health.weak': 'weak',
  'health.outdated': 'outdated',
  'health.never-seen': 'never seen',
  'healthChip.weak': 'Weak',
  'healthChip.flapping': 'Flapping',
  'healthChip.silent': 'Silent',
  'healthChip.failing': 'Failing',
  'healthChip.outdated': 'Outdated',
  'healthChip.never-seen': 'Never seen'
} as const
