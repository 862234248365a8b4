/** The groups of the document, in the order a partner meets them. */
export const tags = [
  { name: "Installation", description: "From the consent of an organization to an API key." },
  { name: "Repairer", description: "The buying side: jobs, parts, baskets and procurements." },
  { name: "Supplier", description: "The selling side: procurements and their confirmation." },
  { name: "Utilities", description: "Businesses, vehicles and uploads, for either side." },
  {
    name: "Webhooks",
    description: "Signed notifications, and the sandbox routes to subscribe to them and to try them.",
  },
  { name: "Extensions", description: "Operations of this sandbox outside the public contract, in its conventions." },
  { name: "Sandbox", description: "Addresses that are handed out in answers, and the service itself." },
] as const;

export type TagName = (typeof tags)[number]["name"];
