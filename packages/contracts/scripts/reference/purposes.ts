import type { ClientEvent, ServerEvent } from '../../src/index.ts'

/** The purpose of each topic, by `up/…` and `down/…`. */
export const topicPurpose: Readonly<Record<string, string>> = {
  'up/update-from-device': "A board's whole state and why it changed, repeated until it is acknowledged",
  'up/status': 'Online at connect and every minute; offline as the last will, and before an orderly stop',
  'up/firmware-progress': 'How far a firmware update has come',
  'down/switch-update': 'A command: absolute values, ignored after expiresAt',
  'down/config-update': 'What the owner changed: colour, zone, Wi-Fi, servers',
  'down/schedules': "A board's whole timetable, each time",
  'down/firmware-update': 'An image to download, check and install',
  'down/ack': 'That one report is stored, or was wrong and must not come again'
}

/** The purpose of each socket event, and where it goes. */
export const eventPurpose: Readonly<Record<string, string>> = {
  'join-user-room': "Join the room of one's own account",
  'join-user-device-room': "Join a board's room; acknowledged with the board's present state",
  'join-staff-room': 'Join the room of staff: admins, and monitors with "view devices"',
  'toggle-switch': 'Turn one outlet on or off',
  'set-fan-speed': 'Set the speed of a fan, 0 to 255',
  'toggle-all-switches': 'Turn every outlet of a board on or off',
  toggleSwitch: 'Turn a switch on or off by its id; answered with switchToggled after the board confirmed',
  'renew-token': 'A new access token for this connection, in answer to token-expired or earlier',
  'switch-update': "To the room of the MAC: what a board's switches are now, and why",
  'update-from-device':
    'To the room of the MAC: everything about a board but its switches, going online and offline too',
  'device-removed':
    'To the room of the MAC, before it is emptied, and to staff: the board was deleted, or has another owner',
  'token-expired': 'To one connection: it ends at endsAt, unless renew-token sends a new token',
  'account-changed': "To a user's connections: their role and permissions from now on",
  switchToggled: 'To the sender of toggleSwitch: the board confirmed',
  deviceStatus: 'To the sender: a command cannot be done',
  'notify-user': 'To the room of the user: a sentence for the banner',
  'claim-progress': 'To the room of the user: how far a pairing has come',
  'firmware-progress': 'To the room of the user: how far a firmware update has come',
  'rollout-progress': 'To the staff room: how far a rollout has come, and one of its boards',
  'fleet-changed':
    'To the staff room, at most once a second: boards that are online, offline, silent, flapping, failing'
} satisfies Record<ClientEvent | ServerEvent, string>
