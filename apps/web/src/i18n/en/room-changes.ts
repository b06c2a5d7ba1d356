export const messages = {
  'rooms.addDo': 'Add room',
  'rooms.edit': 'Edit room',
  'rooms.name': 'Room name',
  'rooms.nameRequired': 'Room name is required',
  'rooms.nameTaken': 'You have a room of that name already.',
  'rooms.added': 'Room added',
  'rooms.renamed': 'Room renamed',
  'rooms.saveFailed': 'Failed to save room',
  'rooms.deleteTitle': 'Delete {name}?',
  'rooms.deleteEmpty': 'No device stands in it.',
  'rooms.deleteMoves':
    '{count, plural, one {One device stands in it. Where does it go?} other {# devices stand in it. Where do they go?}}',
  'rooms.moveTo': 'Its devices go to',
  'rooms.moveToNone': 'No room',
  'rooms.deleteDo': 'Delete room',
  'rooms.gone': 'This room has been deleted',
  'rooms.deleted': 'Room deleted',
  'rooms.deleteFailed': 'Failed to delete room.'
} as const
