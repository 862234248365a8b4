import { Box, EmptyState, Group } from "@mantine/core";
import { IconWebhook } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Subscription } from "../../../../sandbox/contract/control/rows.ts";
import { Button } from "../../../components/button.tsx";
import { TextLink } from "../../../components/link.tsx";
import { Read } from "../../../components/read.tsx";
import { Note, Section } from "../../../components/section.tsx";
import { ShortTable } from "../../../components/short-table.tsx";
import { SideGlyph } from "../../../components/side.tsx";
import { Origin } from "../../../domain/decision/origin.tsx";
import { Address } from "../../../domain/delivery/address.tsx";
import { subscriptionsQuery } from "../../../domain/delivery/queries.ts";
import { BothSides, useKeyNote } from "../../../domain/delivery/subscribing.tsx";
import { useFormAddress } from "../../../kernel/addresses/form-address.ts";
import { hrefs } from "../../../kernel/addresses/hrefs.ts";
import { usePageTitle } from "../../../kernel/place/titles.ts";
import { useWorld } from "../../../kernel/world/world.ts";
import { formatCount, plural } from "../../../lib/formatting.ts";
import { HealthDetails } from "./health.tsx";
import { SubscriptionActions, UnsubscribeDialog } from "./subscription-actions.tsx";

/** All subscriptions with their health, shown while no delivery is open. */
export const SubscriptionsPane = () => {
  const query = useQuery(subscriptionsQuery(useWorld()));
  const keyNote = useKeyNote();
  const form = useFormAddress("subscribe");
  const [removing, setRemoving] = useState<Subscription | null>(null);
  usePageTitle("Webhooks");
  return (
    <>
      <Read of={query} what="the subscriptions" rows={4}>
        {(data) =>
          data.length === 0 ? (
            <EmptyState
              icon={<IconWebhook />}
              title="No subscriptions yet"
              description={`Events are sent only to subscriptions that exist when they happen. No server yet? The test receiver verifies every notification and returns 200. A built-in receiver behaves as you choose. ${keyNote ?? ""}`}
            >
              <EmptyState.Actions>
                <BothSides primary />
                <Button needs="act" onClick={form.open}>
                  Subscribe a URL
                </Button>
              </EmptyState.Actions>
            </EmptyState>
          ) : (
            <div className="scroll">
              <Section title={plural(data.length, "subscription")} ruled={false} actions={<BothSides />}>
                <ShortTable
                  label="Subscriptions"
                  least={500}
                  rows={data}
                  keyOf={({ id }) => id}
                  columns={[
                    {
                      head: "Organization and URL",
                      wraps: true,
                      cell: (one) => (
                        <>
                          <Group>
                            <SideGlyph side={one.scope} labelled />
                            <TextLink href={hrefs.subscription(one.id)} title="Its health, drills and settings">
                              {one.organization_name || "unknown organization"}
                            </TextLink>
                          </Group>
                          <Address url={one.url} />
                        </>
                      ),
                    },
                    { head: "Health", width: "38%", cell: (one) => <HealthDetails subscription={one} /> },
                    { head: "Delivered", width: 76, right: true, cell: ({ delivered }) => formatCount(delivered) },
                    { head: "Failed", width: 76, right: true, cell: ({ failed }) => formatCount(failed) },
                    {
                      ...{ head: "Pause and remove", width: 80, right: true, isHeadHidden: true },
                      cell: (one) => <SubscriptionActions subscription={one} onRemove={() => setRemoving(one)} />,
                    },
                  ]}
                />
                <Box px="lg" py={10}>
                  <Note>
                    An event goes to every subscribed integration of one organization on that side. All URLs of an
                    integration receive the same message_id. <Origin of="assumption" id="D70" />{" "}
                    <Origin of="assumption" id="D71" />
                  </Note>
                  {keyNote !== null && (
                    <Note>
                      {keyNote} <Origin of="assumption" id="D76" switchable />
                    </Note>
                  )}
                </Box>
              </Section>
            </div>
          )
        }
      </Read>
      {/* Outside the list: removing the last row unmounts the list, and the dialog must still return the focus. */}
      <UnsubscribeDialog subscription={removing} onClose={() => setRemoving(null)} />
    </>
  );
};
