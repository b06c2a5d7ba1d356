/** One thing that is wrong with an installation. */
export interface Fault {
  what: string
  where: string
  do: string
}

/** As one line for a person. */
export const faultLine = (fault: Fault): string => `${fault.what} (${fault.where}). ${fault.do}`
