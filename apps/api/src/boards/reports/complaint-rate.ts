/** How often the log names one cause of trouble with reports: a few lines show what is wrong, and the metrics count the rest. */
export const complaintRate = { perSecond: 1 / 60, burst: 5 }
