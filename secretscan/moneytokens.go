package secretscan

// moneyTokens open payments and shops.
var moneyTokens = []rule{
	// Stripe secret and restricted keys, webhook secrets; publishable keys are public.
	{name: "stripe-key", anchors: []string{"sk_live_", "sk_test_", "rk_live_", "rk_test_"}, pattern: `[rs]k_(?:live|test)_[A-Za-z0-9]{10,}`, examples: []string{"sk_live_{mixed24}", "rk_test_{mixed24}", "sk_test_{mixed99}"},
		harmless: []string{"pk_live_{mixed24}", "sk_test_yourkeygoeshere"}},
	{name: "stripe-webhook-secret", anchors: []string{"whsec_"}, pattern: `whsec_[A-Za-z0-9+/=]{24,}`, examples: []string{"whsec_{mixed32}"}},
	// Shopify access tokens (app, custom, private) and shared secrets.
	{name: "shopify-token", anchors: []string{"shpat_", "shpca_", "shppa_", "shpss_"}, pattern: `shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}`, examples: []string{"shpat_{hex32}", "shpss_{hex32}", "shpca_{hex32}", "shppa_{hex32}"}},
	// Square: access tokens, personal ones and application secrets.
	{name: "square-token", anchors: []string{"sq0atp-", "sq0csp-"}, pattern: `sq0(?:atp|csp)-[\w-]{22,}`, examples: []string{"sq0atp-{mixed22}", "sq0csp-{mixed43}"}, harmless: []string{"sq0idp-{mixed22}"}},
	{name: "square-token", anchors: []string{"EAAA"}, pattern: `EAAA[\w-]{60}`, examples: []string{"EAAA{mixed60}"}},
	{name: "braintree-token", anchors: []string{"access_token$"}, pattern: `access_token\$(?:production|sandbox)\$[a-z0-9]{16}\$[a-f0-9]{32}`, examples: []string{"access_token$production${lower16}${hex32}"}},
	{name: "plaid-token", anchors: []string{"access-"}, pattern: `access-(?:sandbox|development|production)-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`, examples: []string{"access-production-{hex8}-{hex4}-{hex4}-{hex4}-{hex12}"}},
	{name: "flutterwave-key", anchors: []string{"FLWSECK"}, pattern: `FLWSECK(?:_TEST)?-[A-Za-z0-9]{12,}-X`, examples: []string{"FLWSECK-{hex32}-X"}},
	{name: "shippo-token", anchors: []string{"shippo_"}, pattern: `shippo_(?:live|test)_[a-f0-9]{40}`, examples: []string{"shippo_live_{hex40}"}},
	{name: "easypost-key", anchors: []string{"EZAK", "EZTK"}, pattern: `EZ[AT]K[A-Za-z0-9]{54}`, examples: []string{"EZAK{mixed54}"}},
	{name: "duffel-token", anchors: []string{"duffel_"}, pattern: `duffel_(?:live|test)_[\w-]{43}`, examples: []string{"duffel_live_{mixed43}"}},
	// BIP 32 extended private keys and Nostr's (NIP 19).
	{name: "wallet-key", anchors: []string{"xprv", "zprv", "yprv"}, pattern: `[xyz]prv[A-Za-z0-9]{100,112}`, examples: []string{"xprv{mixed107}"}, harmless: []string{"xpub{mixed107}"}},
	{name: "wallet-key", anchors: []string{"nsec1"}, pattern: `nsec1[a-z0-9]{58}`, examples: []string{"nsec1{lower58}"}},
	// Bank accounts are known by their check digits.
	{name: "iban", anchors: ibanPrefixes(), locate: (*scanner).iban,
		examples: []string{"IBAN: «DE89 3704 0044 0532 0130 00»", "pay to «GB82WEST12345698765432» please", "«FR14 2004 1010 0505 0001 3M02 606»"},
		harmless: []string{"DE89 3704 0044 0532 0130 01", "DE12345", "The IBAN field is optional", "XDE89370400440532013000"}},
	// Cards are known by their check digit.
	{name: "card-number", anchors: cardPrefixes(), locate: (*scanner).cardNumber,
		examples: []string{"My visa is «4111 1111 1111 1111» exp 09/27", "Amex «3782-822463-10005»", "card: «5555555555554444»"},
		harmless: []string{"4111 1111 1111 1112", "Order 4111111111111111 shipped", "4.111111111111111", "Stripe's test card is 4242 4242 4242 4242", "id_4111111111111111"}},
}
