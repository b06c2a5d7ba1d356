export const messages = {
  'colour.green': 'Green',
  'colour.blue': 'Blue',
  'colour.red': 'Red',
  'colour.yellow': 'Yellow',
  'colour.violet': 'Violet',
  'colour.Sky Blue': 'Sky Blue',
  'colour.Aqua Blue': 'Aqua Blue',
  'colour.white': 'White',
  'colour.custom': 'Custom',
  'colour.customLabel': 'Colour name or hex'
} as const
