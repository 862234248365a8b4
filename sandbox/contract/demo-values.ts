/**
 * Clients and credentials of a fresh world (contract, "Sandbox conveniences"; D20, D83). They are published in the
 * documentation, because they open only invented data.
 */

/** Pre-registered clients: one with OAuth install, one without. */
export const fixedClients = {
  demo: {
    client_id: "demo-client",
    name: "Demo integration",
    client_secret: "cs_demo_4f1c9a7e2b8d4063a5be71c0d93f6e28",
    oauth_enabled: true,
  },
  no_oauth: {
    client_id: "demo-client-no-oauth",
    name: "Demo integration without install",
    client_secret: "cs_demo_b07e53d1f9264c8aa2416fd85ce390b7",
    oauth_enabled: false,
  },
} as const;

/** Pre-loaded credentials of each side: Tarn & Rowe Collision buys, Meridian Genuine Parts sells. */
export const fixedCredentials = {
  repairer: {
    integration_id: "1f0c9a52-6d3b-4e87-9b1a-2c5d7e8f9a01",
    api_key: "sbx_7d41f0b9c2e84a5396d8b7135fae0c21",
    webhook_secret: "pwh_Qm7vT2xK9cRz4LdW8nHsYb1EfJgU6aPo3iXwVtM5kNA",
    scope: "repairer",
  },
  supplier: {
    integration_id: "8e27b4d6-51ac-4f39-a0c8-93d4e5f60b72",
    api_key: "sbx_e95a27c8406b4d1fb3a2709d61cf3f70",
    webhook_secret: "pwh_Zr5hC8wNqD2yBt7MxGk1VsLf9JpEa4UoR6iXnTgK3cQ",
    scope: "supplier",
  },
} as const;
