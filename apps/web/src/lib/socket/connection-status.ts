/**
 * `off`: nobody is signed in. `lost`: the attempts are spent; a person (or the window's focus) may try again at once,
 * and the page tries by itself every now and then, for ever: a tablet on a wall has nobody who presses a button.
 * `connecting` is the first attempt only; after it a page without connection is `reconnecting`.
 */
export type ConnectionStatus = 'off' | 'connecting' | 'live' | 'reconnecting' | 'lost'
