// Made from /openapi.json by `npm run openapi`; a test fails when it is out of date.

export interface paths {
    "/api/2026-01/integrations.insert": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["integrations.insert"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2026-01/businesses.list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["businesses.list"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2026-01/repairer.work-providers.list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["repairer.work-providers.list"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2026-01/repairer.jobs.get": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["repairer.jobs.get"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2026-01/repairer.jobs.insert": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["repairer.jobs.insert"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2026-01/repairer.jobs.parts.insert": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["repairer.jobs.parts.insert"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2026-01/repairer.jobs.parts.list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["repairer.jobs.parts.list"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2026-01/repairer.jobs.baskets.latest.get": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["repairer.jobs.baskets.latest.get"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2026-01/repairer.procurements.get": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["repairer.procurements.get"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2026-01/repairer.procurements.list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["repairer.procurements.list"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2026-01/supplier.procurements.get": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["supplier.procurements.get"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2026-01/supplier.procurements.confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["supplier.procurements.confirm"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2026-01/tier1.prepare": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["tier1.prepare"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2026-01/uploads.prepare": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["uploads.prepare"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/__extensions/2026-01/repairer.procurements.place": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["repairer.procurements.place"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/__extensions/2026-01/procurements.cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["procurements.cancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/__extensions/2026-01/repairer.jobs.delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["repairer.jobs.delete"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/__extensions/2026-01/repairer.invoices.reconcile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["repairer.invoices.reconcile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/__oauth/authorize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["oauth.authorize"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/__uploads/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: operations["uploads.put"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/__media/{id}/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["media.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/__health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["health.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["openapi.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/__webhooks/subscribe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["webhooks.subscribe"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/__webhooks/secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["webhooks.secret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/__webhooks/sink": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["webhooks.sink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "repairer.jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["webhook.repairer.jobs"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "repairer.procurements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["webhook.repairer.procurements"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "supplier.procurements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["webhook.supplier.procurements"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        Address: {
            city: string | null;
            country_code: string | null;
            name: string | null;
            postcode: string | null;
            state: string | null;
            street_name: string | null;
            street_number: string | null;
            suburb: string | null;
            unit: string | null;
        };
        BasketsLatestGetResponseV1: {
            offers: components["schemas"]["OfferV1"][];
            suppliers: components["schemas"]["SupplierV1"][];
        };
        BusinessV1: {
            /** @enum {string} */
            type: "supplier" | "repairer" | "repairer_site" | "insurer";
            /** Format: uuid */
            id: string;
            name: string;
        };
        BuyerPart: {
            description: string;
            /** Format: uuid */
            job_part_id: string | null;
            part_identity: {
                gapc_brand_id: string;
                mpn: string;
            } | null;
            quantity: number;
        };
        BuyerProcurement: {
            /** @constant */
            status: "order_requested";
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            job_id: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            currency_code: string | null;
            reference: string | null;
            source_items: components["schemas"]["SourceItem"][];
            total_shipping_price: components["schemas"]["ShippingPrice"] | null;
            vehicle: components["schemas"]["ProcurementVehicle"];
            supplier_business: {
                /** Format: uuid */
                id: string;
                name: string;
            };
            supplier_organization: {
                /** Format: uuid */
                id: string;
            };
            /** Format: date-time */
            deliver_before: string | null;
            offered_items: {
                /** Format: uuid */
                id: string;
                fulfills_source_ids: string[];
                supplied_offer: {
                    /** @constant */
                    type: "single";
                    description: string;
                    quantity: number;
                    condition: components["schemas"]["PartCondition"] | null;
                    inventory: {
                        /** Format: uuid */
                        sellable_id: string;
                    } | null;
                    trade_price: string | null;
                };
            }[];
        } | {
            /** @constant */
            status: "order_confirmed";
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            job_id: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            currency_code: string | null;
            reference: string | null;
            source_items: components["schemas"]["SourceItem"][];
            total_shipping_price: components["schemas"]["ShippingPrice"] | null;
            vehicle: components["schemas"]["ProcurementVehicle"];
            supplier_business: {
                /** Format: uuid */
                id: string;
                name: string;
            };
            supplier_organization: {
                /** Format: uuid */
                id: string;
            };
            /** Format: date-time */
            deliver_before: string;
            offered_items: {
                /** Format: uuid */
                id: string;
                fulfills_source_ids: string[];
                supplied_offer: {
                    /** @constant */
                    type: "single";
                    description: string;
                    quantity: number;
                    condition: components["schemas"]["PartCondition"];
                    inventory: {
                        /** Format: uuid */
                        sellable_id: string;
                    };
                    trade_price: string;
                };
            }[];
        } | {
            /** @constant */
            status: "cancelled";
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            job_id: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            currency_code: string | null;
            reference: string | null;
            source_items: components["schemas"]["SourceItem"][];
            total_shipping_price: components["schemas"]["ShippingPrice"] | null;
            vehicle: components["schemas"]["ProcurementVehicle"];
            supplier_business: {
                /** Format: uuid */
                id: string;
                name: string;
            };
            supplier_organization: {
                /** Format: uuid */
                id: string;
            };
            /** Format: date-time */
            deliver_before: string | null;
            offered_items: {
                /** Format: uuid */
                id: string;
                fulfills_source_ids: string[];
                supplied_offer: {
                    /** @constant */
                    type: "single";
                    description: string;
                    quantity: number;
                    condition: components["schemas"]["PartCondition"] | null;
                    inventory: {
                        /** Format: uuid */
                        sellable_id: string;
                    } | null;
                    trade_price: string | null;
                };
            }[];
        };
        Envelope: {
            message_id: string;
            event_timestamp: string;
            webhook_timestamp: string;
            /** @enum {string} */
            event_type: "repairer.jobs" | "repairer.procurements" | "supplier.procurements";
            /** @constant */
            type: "integration_notification";
            /** @constant */
            version: "v1";
            integration_id: string;
            payload: components["schemas"]["JobEventPayload"] | components["schemas"]["ProcurementEventPayload"];
        };
        JobEventPayload: {
            job_id: string;
            /** @enum {string} */
            change_action: "inserted" | "updated" | "deleted";
        };
        JobIdentityV1: {
            /** Format: uuid */
            id: string;
            external?: unknown;
        } | {
            external: string;
            id?: unknown;
        };
        JobInsert: {
            identity: components["schemas"]["JobIdentityV1"];
            /** Format: uuid */
            repairer_site_id: string;
            claim_number?: string | null;
            images?: string[] | null;
            job_number?: string | null;
            vehicle?: components["schemas"]["VehicleV1"] | null;
            work_provider_contract?: string | null;
            /** Format: uuid */
            work_provider_id?: string | null;
            if_?: {
                /** @enum {string} */
                exists: "update" | "replace";
            };
        };
        JobV1: {
            /** Format: uuid */
            id: string;
            images: {
                public_url: string;
            }[];
            /** Format: uuid */
            repairer_site_id: string;
            claim_number: string | null;
            external_id: string | null;
            job_number: string | null;
            vehicle: components["schemas"]["VehicleV1"] | null;
            /** Format: uuid */
            work_provider_id: string | null;
        };
        OfferV1: {
            condition: components["schemas"]["PartCondition"] | null;
            job_part_ids: string[];
            name: string;
            quantity: number;
            /** Format: uuid */
            sellable_id: string;
            supplier_business_id: string;
            trade_price: string;
        };
        PartCondition: {
            /** @constant */
            type: "new";
            payload: Record<string, never>;
        } | {
            /** @constant */
            type: "used";
            payload: components["schemas"]["UsedGrade"];
        };
        PartIdentityV1: {
            /** Format: uuid */
            id: string;
            external_id?: unknown;
        } | {
            external_id: string;
            id?: unknown;
        };
        PartInsertV1: {
            description?: string | null;
            identity?: components["schemas"]["PartIdentityV1"] | null;
            note?: string | null;
            quantity?: number | null;
        };
        PartV1: {
            /** Format: uuid */
            id: string;
            description: string;
            /** @enum {string} */
            status: "estimated" | "ordered";
            external_id: string | null;
            ghca_id: string | null;
            note: string | null;
        };
        ProcurementEventPayload: {
            procurement_id: string;
            job_id: string;
            /** @enum {string} */
            status: "order_requested" | "order_confirmed";
        };
        ProcurementVehicle: {
            chassis_number: string | null;
            plate_number: string | null;
            variant: {
                description: string;
            };
        };
        ShippingPrice: {
            /** @enum {string} */
            type: "derived" | "absolute";
            value: string;
        };
        SourceItem: {
            /** Format: uuid */
            id: string;
            /** @constant */
            type: "buyer_requested";
            buyer_part: components["schemas"]["BuyerPart"];
        };
        SupplierProcurement: {
            /** @constant */
            status: "order_requested";
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            job_id: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            currency_code: string | null;
            reference: string | null;
            source_items: components["schemas"]["SourceItem"][];
            total_shipping_price: components["schemas"]["ShippingPrice"] | null;
            vehicle: components["schemas"]["ProcurementVehicle"];
            buyer_business: {
                /** Format: uuid */
                id: string;
            };
            buyer_organization: {
                /** Format: uuid */
                id: string;
            };
            buyer_shipping_address: components["schemas"]["Address"];
            /** Format: date-time */
            deliver_before: string | null;
            offered_items: {
                /** Format: uuid */
                id: string;
                fulfills_source_ids: string[];
                supplied_offer: {
                    /** @constant */
                    type: "single";
                    description: string;
                    quantity: number;
                    condition: components["schemas"]["PartCondition"] | null;
                    inventory: {
                        /** Format: uuid */
                        sellable_id: string;
                        /** Format: uuid */
                        warehouse_id: string | null;
                    } | null;
                    trade_price: string | null;
                };
            }[];
        } | {
            /** @constant */
            status: "order_confirmed";
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            job_id: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            currency_code: string | null;
            reference: string | null;
            source_items: components["schemas"]["SourceItem"][];
            total_shipping_price: components["schemas"]["ShippingPrice"] | null;
            vehicle: components["schemas"]["ProcurementVehicle"];
            buyer_business: {
                /** Format: uuid */
                id: string;
            };
            buyer_organization: {
                /** Format: uuid */
                id: string;
            };
            buyer_shipping_address: components["schemas"]["Address"];
            /** Format: date-time */
            deliver_before: string;
            offered_items: {
                /** Format: uuid */
                id: string;
                fulfills_source_ids: string[];
                supplied_offer: {
                    /** @constant */
                    type: "single";
                    description: string;
                    quantity: number;
                    condition: components["schemas"]["PartCondition"];
                    inventory: {
                        /** Format: uuid */
                        sellable_id: string;
                        /** Format: uuid */
                        warehouse_id: string | null;
                    };
                    trade_price: string;
                };
            }[];
        } | {
            /** @constant */
            status: "cancelled";
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            job_id: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            currency_code: string | null;
            reference: string | null;
            source_items: components["schemas"]["SourceItem"][];
            total_shipping_price: components["schemas"]["ShippingPrice"] | null;
            vehicle: components["schemas"]["ProcurementVehicle"];
            buyer_business: {
                /** Format: uuid */
                id: string;
            };
            buyer_organization: {
                /** Format: uuid */
                id: string;
            };
            buyer_shipping_address: components["schemas"]["Address"];
            /** Format: date-time */
            deliver_before: string | null;
            offered_items: {
                /** Format: uuid */
                id: string;
                fulfills_source_ids: string[];
                supplied_offer: {
                    /** @constant */
                    type: "single";
                    description: string;
                    quantity: number;
                    condition: components["schemas"]["PartCondition"] | null;
                    inventory: {
                        /** Format: uuid */
                        sellable_id: string;
                        /** Format: uuid */
                        warehouse_id: string | null;
                    } | null;
                    trade_price: string | null;
                };
            }[];
        };
        SupplierV1: {
            business_id: string;
            name: string;
        };
        UsedGrade: {
            /** @constant */
            type: "panel";
            /** @enum {string} */
            payload: "grade0" | "grade_a" | "grade_b" | "grade_c";
        } | {
            /** @constant */
            type: "distance_traveled";
            payload: number;
        } | {
            /** @constant */
            type: "operation_hours";
            payload: number;
        } | {
            /** @constant */
            type: "remaining_thickness";
            payload: number;
        };
        VehicleIdentifier: {
            chassis_number: string;
            region?: unknown;
            state?: unknown;
            plate?: unknown;
        } | {
            region: string;
            state?: string | null;
            plate: string;
            chassis_number?: unknown;
        };
        VehicleV1: {
            chassis_number: string | null;
            plate_number: string | null;
            plate_state: string | null;
        };
        WorkProviderV1: {
            business_name: string;
            organization_id: string;
        };
    };
    responses: {
        "unauthorized.invalid_client_secret.invalid_access_code": {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "WWW-Authenticate": components["headers"]["Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @enum {string} */
                    type: "unauthorized" | "invalid_client_secret" | "invalid_access_code";
                    message?: string;
                };
            };
        };
        "forbidden.o_auth_not_supported_by_integration": {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @enum {string} */
                    type: "forbidden" | "o_auth_not_supported_by_integration";
                    message?: string;
                };
            };
        };
        integration_not_found: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @enum {string} */
                    type: "integration_not_found";
                    message?: string;
                };
            };
        };
        bad_request: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @enum {string} */
                    type: "bad_request";
                    message: string;
                };
            };
        };
        method_not_allowed: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                Allow: components["headers"]["Allow"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @enum {string} */
                    type: "method_not_allowed";
                    message: string;
                };
            };
        };
        payload_too_large: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @enum {string} */
                    type: "payload_too_large";
                    message: string;
                };
            };
        };
        unsupported_media_type: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @enum {string} */
                    type: "unsupported_media_type";
                    message: string;
                };
            };
        };
        misdirected_request: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @enum {string} */
                    type: "misdirected_request";
                    message: string;
                };
            };
        };
        rate_limited: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @enum {string} */
                    type: "rate_limited";
                    message: string;
                };
            };
        };
        internal_error: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @enum {string} */
                    type: "internal_error";
                    message: string;
                    /** Format: uuid */
                    request_id?: string;
                };
            };
        };
        "storage_unavailable.too_many_worlds.world_unavailable": {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @enum {string} */
                    type: "storage_unavailable" | "too_many_worlds" | "world_unavailable";
                    message: string;
                };
            };
        };
        unauthorized: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "WWW-Authenticate": components["headers"]["Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @enum {string} */
                    type: "unauthorized";
                    message?: string;
                };
            };
        };
        forbidden: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @enum {string} */
                    type: "forbidden";
                    message?: string;
                };
            };
        };
        "too_many_worlds.world_unavailable": {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @enum {string} */
                    type: "too_many_worlds" | "world_unavailable";
                    message: string;
                };
            };
        };
        not_found: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @enum {string} */
                    type: "not_found";
                    message?: string;
                };
            };
        };
        unprocessable: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @enum {string} */
                    type: "unprocessable";
                    message: string;
                };
            };
        };
        work_provider_not_found: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @enum {string} */
                    type: "work_provider_not_found";
                    message?: string;
                };
            };
        };
        world_unavailable: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @enum {string} */
                    type: "world_unavailable";
                    message: string;
                };
            };
        };
        "storage_unavailable.world_unavailable": {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @enum {string} */
                    type: "storage_unavailable" | "world_unavailable";
                    message: string;
                };
            };
        };
        storage_unavailable: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @enum {string} */
                    type: "storage_unavailable";
                    message: string;
                };
            };
        };
    };
    parameters: {
        Tenant: string;
    };
    requestBodies: never;
    headers: {
        RequestId: string;
        Authenticate: "Bearer";
        Allow: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    "integrations.insert": {
        parameters: {
            query?: never;
            header?: {
                "x-sandbox-tenant"?: components["parameters"]["Tenant"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    access_code: string;
                    client_id: string;
                    client_secret: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        api_key: string;
                        /** Format: uuid */
                        integration_id: string;
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized.invalid_client_secret.invalid_access_code"];
            403: components["responses"]["forbidden.o_auth_not_supported_by_integration"];
            404: components["responses"]["integration_not_found"];
            405: components["responses"]["method_not_allowed"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["storage_unavailable.too_many_worlds.world_unavailable"];
        };
    };
    "businesses.list": {
        parameters: {
            query?: never;
            header?: {
                "x-sandbox-tenant"?: components["parameters"]["Tenant"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["BusinessV1"][];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
            405: components["responses"]["method_not_allowed"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["too_many_worlds.world_unavailable"];
        };
    };
    "repairer.work-providers.list": {
        parameters: {
            query?: never;
            header?: {
                "x-sandbox-tenant"?: components["parameters"]["Tenant"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["WorkProviderV1"][];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
            405: components["responses"]["method_not_allowed"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["too_many_worlds.world_unavailable"];
        };
    };
    "repairer.jobs.get": {
        parameters: {
            query?: never;
            header?: {
                "x-sandbox-tenant"?: components["parameters"]["Tenant"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    identity: components["schemas"]["JobIdentityV1"];
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobV1"];
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            405: components["responses"]["method_not_allowed"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["too_many_worlds.world_unavailable"];
        };
    };
    "repairer.jobs.insert": {
        parameters: {
            query?: never;
            header?: {
                "x-sandbox-tenant"?: components["parameters"]["Tenant"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["JobInsert"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobV1"];
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["work_provider_not_found"];
            405: components["responses"]["method_not_allowed"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            422: components["responses"]["unprocessable"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["storage_unavailable.too_many_worlds.world_unavailable"];
        };
    };
    "repairer.jobs.parts.insert": {
        parameters: {
            query?: never;
            header?: {
                "x-sandbox-tenant"?: components["parameters"]["Tenant"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    job_identity: components["schemas"]["JobIdentityV1"];
                    parts: components["schemas"]["PartInsertV1"][];
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["PartV1"][];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "WWW-Authenticate": components["headers"]["Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": "unauthorized";
                };
            };
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": "forbidden";
                };
            };
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": "not_found";
                };
            };
            405: components["responses"]["method_not_allowed"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            422: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": "unprocessable";
                };
            };
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["storage_unavailable.too_many_worlds.world_unavailable"];
        };
    };
    "repairer.jobs.parts.list": {
        parameters: {
            query?: never;
            header?: {
                "x-sandbox-tenant"?: components["parameters"]["Tenant"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    job_identity: components["schemas"]["JobIdentityV1"];
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["PartV1"][];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            405: components["responses"]["method_not_allowed"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["too_many_worlds.world_unavailable"];
        };
    };
    "repairer.jobs.baskets.latest.get": {
        parameters: {
            query?: never;
            header?: {
                "x-sandbox-tenant"?: components["parameters"]["Tenant"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    job_identity: components["schemas"]["JobIdentityV1"];
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BasketsLatestGetResponseV1"];
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            405: components["responses"]["method_not_allowed"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["too_many_worlds.world_unavailable"];
        };
    };
    "repairer.procurements.get": {
        parameters: {
            query?: never;
            header?: {
                "x-sandbox-tenant"?: components["parameters"]["Tenant"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    identity: {
                        /** Format: uuid */
                        id: string;
                    };
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BuyerProcurement"];
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            405: components["responses"]["method_not_allowed"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["too_many_worlds.world_unavailable"];
        };
    };
    "repairer.procurements.list": {
        parameters: {
            query?: never;
            header?: {
                "x-sandbox-tenant"?: components["parameters"]["Tenant"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    job_identity: components["schemas"]["JobIdentityV1"];
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["BuyerProcurement"][];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            405: components["responses"]["method_not_allowed"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["too_many_worlds.world_unavailable"];
        };
    };
    "supplier.procurements.get": {
        parameters: {
            query?: never;
            header?: {
                "x-sandbox-tenant"?: components["parameters"]["Tenant"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    identity: {
                        /** Format: uuid */
                        id: string;
                    };
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SupplierProcurement"];
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            405: components["responses"]["method_not_allowed"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["too_many_worlds.world_unavailable"];
        };
    };
    "supplier.procurements.confirm": {
        parameters: {
            query?: never;
            header?: {
                "x-sandbox-tenant"?: components["parameters"]["Tenant"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    identity: {
                        /** Format: uuid */
                        id: string;
                    };
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SupplierProcurement"];
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            405: components["responses"]["method_not_allowed"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            422: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        type: "unprocessable";
                        message: string;
                    };
                };
            };
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["storage_unavailable.too_many_worlds.world_unavailable"];
        };
    };
    "tier1.prepare": {
        parameters: {
            query?: never;
            header?: {
                "x-sandbox-tenant"?: components["parameters"]["Tenant"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    identifiers: (components["schemas"]["VehicleIdentifier"] | unknown)[];
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        invalid_identifiers: {
                            input: unknown;
                            reason: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            405: components["responses"]["method_not_allowed"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["storage_unavailable.too_many_worlds.world_unavailable"];
        };
    };
    "uploads.prepare": {
        parameters: {
            query?: never;
            header?: {
                "x-sandbox-tenant"?: components["parameters"]["Tenant"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    file_name: string;
                    /** @enum {string} */
                    media_type: "image";
                    /** @enum {string} */
                    type: "job_media";
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        upload_url: string;
                        public_url: string | null;
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
            405: components["responses"]["method_not_allowed"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            422: components["responses"]["unprocessable"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["storage_unavailable.too_many_worlds.world_unavailable"];
        };
    };
    "repairer.procurements.place": {
        parameters: {
            query?: never;
            header?: {
                "x-sandbox-tenant"?: components["parameters"]["Tenant"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    job_identity: components["schemas"]["JobIdentityV1"];
                    sellable_ids: string[];
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["BuyerProcurement"][];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            405: components["responses"]["method_not_allowed"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            422: components["responses"]["unprocessable"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["storage_unavailable.too_many_worlds.world_unavailable"];
        };
    };
    "procurements.cancel": {
        parameters: {
            query?: never;
            header?: {
                "x-sandbox-tenant"?: components["parameters"]["Tenant"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    identity: {
                        /** Format: uuid */
                        id: string;
                    };
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BuyerProcurement"] | components["schemas"]["SupplierProcurement"];
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            405: components["responses"]["method_not_allowed"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            422: components["responses"]["unprocessable"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["storage_unavailable.too_many_worlds.world_unavailable"];
        };
    };
    "repairer.jobs.delete": {
        parameters: {
            query?: never;
            header?: {
                "x-sandbox-tenant"?: components["parameters"]["Tenant"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    identity: components["schemas"]["JobIdentityV1"];
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            405: components["responses"]["method_not_allowed"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            422: components["responses"]["unprocessable"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["storage_unavailable.too_many_worlds.world_unavailable"];
        };
    };
    "repairer.invoices.reconcile": {
        parameters: {
            query?: never;
            header?: {
                "x-sandbox-tenant"?: components["parameters"]["Tenant"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    identity: {
                        /** Format: uuid */
                        id: string;
                    };
                    lines: {
                        /** Format: uuid */
                        sellable_id?: string | null;
                        description?: string | null;
                        quantity: number;
                        unit_price: string;
                    }[];
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        matched: {
                            line: number;
                            /** Format: uuid */
                            offered_item_id: string;
                        }[];
                        price_differences: {
                            line: number;
                            /** Format: uuid */
                            offered_item_id: string;
                            ordered: string | number;
                            invoiced: string | number;
                        }[];
                        quantity_differences: {
                            line: number;
                            /** Format: uuid */
                            offered_item_id: string;
                            ordered: string | number;
                            invoiced: string | number;
                        }[];
                        missing: {
                            /** Format: uuid */
                            offered_item_id: string;
                            description: string;
                            quantity: number;
                        }[];
                        unexpected: {
                            line: number;
                        }[];
                        ordered_total: string;
                        invoiced_total: string;
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            405: components["responses"]["method_not_allowed"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            422: components["responses"]["unprocessable"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["too_many_worlds.world_unavailable"];
        };
    };
    "oauth.authorize": {
        parameters: {
            query: {
                client_id: string;
                redirect_uri: string;
                state?: string;
                world?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            405: components["responses"]["method_not_allowed"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["world_unavailable"];
        };
    };
    "uploads.put": {
        parameters: {
            query: {
                expires: number;
                signature: string;
                world?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "image/*": unknown;
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        ok: true;
                    };
                };
            };
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        type: "forbidden";
                        message?: string;
                    };
                };
            };
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        type: "not_found";
                        message?: string;
                    };
                };
            };
            405: components["responses"]["method_not_allowed"];
            413: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        type: "payload_too_large";
                        message: string;
                    };
                };
            };
            415: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        type: "unsupported_media_type";
                        message: string;
                    };
                };
            };
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["storage_unavailable.world_unavailable"];
        };
    };
    "media.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "image/*": unknown;
                };
            };
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        type: "not_found";
                        message?: string;
                    };
                };
            };
            405: components["responses"]["method_not_allowed"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
        };
    };
    "health.get": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                    };
                };
            };
            405: components["responses"]["method_not_allowed"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["storage_unavailable"];
        };
    };
    "openapi.get": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            405: components["responses"]["method_not_allowed"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
        };
    };
    "webhooks.subscribe": {
        parameters: {
            query?: never;
            header?: {
                "x-sandbox-tenant"?: components["parameters"]["Tenant"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: uuid */
                    integration_id: string;
                    url: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        ok: true;
                    };
                };
            };
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        ok: false;
                        /** @enum {string} */
                        reason: "url_not_loopback" | "https_required" | "private_or_reserved_host" | "missing_field" | "bad_body" | "too_many_subscriptions";
                    } | {
                        /** @enum {string} */
                        type: "bad_request";
                        message: string;
                    };
                };
            };
            401: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "WWW-Authenticate": components["headers"]["Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        ok: false;
                        /** @enum {string} */
                        reason: "unauthorized";
                    };
                };
            };
            405: components["responses"]["method_not_allowed"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["storage_unavailable.too_many_worlds.world_unavailable"];
        };
    };
    "webhooks.secret": {
        parameters: {
            query?: never;
            header?: {
                "x-sandbox-tenant"?: components["parameters"]["Tenant"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        integration_id: string;
                        secret: string;
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["unauthorized"];
            405: components["responses"]["method_not_allowed"];
            413: components["responses"]["payload_too_large"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["too_many_worlds.world_unavailable"];
        };
    };
    "webhooks.sink": {
        parameters: {
            query?: never;
            header: {
                "x-sandbox-tenant"?: components["parameters"]["Tenant"];
                "service-hmac-sha256": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Envelope"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        ok: true;
                        deduped: boolean;
                    };
                };
            };
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        ok: false;
                        /** @enum {string} */
                        reason: "missing_timestamp" | "stale_timestamp";
                    } | {
                        /** @enum {string} */
                        type: "bad_request";
                        message: string;
                    };
                };
            };
            401: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        ok: false;
                        /** @enum {string} */
                        reason: "missing_signature" | "bad_signature";
                    };
                };
            };
            405: components["responses"]["method_not_allowed"];
            413: components["responses"]["payload_too_large"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
        };
    };
    "webhook.repairer.jobs": {
        parameters: {
            query?: never;
            header: {
                "service-hmac-sha256": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    message_id: string;
                    event_timestamp: string;
                    webhook_timestamp: string;
                    /** @constant */
                    event_type: "repairer.jobs";
                    /** @constant */
                    type: "integration_notification";
                    /** @constant */
                    version: "v1";
                    integration_id: string;
                    payload: components["schemas"]["JobEventPayload"];
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "webhook.repairer.procurements": {
        parameters: {
            query?: never;
            header: {
                "service-hmac-sha256": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    message_id: string;
                    event_timestamp: string;
                    webhook_timestamp: string;
                    /** @constant */
                    event_type: "repairer.procurements";
                    /** @constant */
                    type: "integration_notification";
                    /** @constant */
                    version: "v1";
                    integration_id: string;
                    payload: components["schemas"]["ProcurementEventPayload"];
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "webhook.supplier.procurements": {
        parameters: {
            query?: never;
            header: {
                "service-hmac-sha256": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    message_id: string;
                    event_timestamp: string;
                    webhook_timestamp: string;
                    /** @constant */
                    event_type: "supplier.procurements";
                    /** @constant */
                    type: "integration_notification";
                    /** @constant */
                    version: "v1";
                    integration_id: string;
                    payload: components["schemas"]["ProcurementEventPayload"];
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
