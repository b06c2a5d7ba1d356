/** Returns the MAC of the n-th board of a benchmark. It is locally administered, so that no real board has it. */
export const macOf = (index: number): string =>
  ((0x06_00_00_00_00_00 + index).toString(16).padStart(12, '0').toUpperCase().match(/../g) ?? []).join(':')
