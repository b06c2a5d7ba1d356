/** One thing that is wrong with an installation. */
export interface Fault {
  what: string
  where: string
  do: string
}

/** Formats a fault as one line for the user. */
export const faultLine = (fault: Fault): string => `${fault.what} (${fault.where}). ${fault.do}`
