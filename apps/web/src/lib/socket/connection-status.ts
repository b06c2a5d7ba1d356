/**
 * `off`: nobody is signed in. `connecting`: the first attempt only; later ones are `reconnecting`. `lost`: the attempts
 * are spent. A person (or the window's focus) may retry at once, and the page itself retries at intervals forever, as a
 * tablet on a wall has nobody to press a button.
 */
export type ConnectionStatus = 'off' | 'connecting' | 'live' | 'reconnecting' | 'lost'
