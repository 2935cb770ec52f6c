import UntrustedText

/// The names of parameters that advertising, newsletters and analytics add to URLs.
enum TrackingNames {
    /// Returns whether a name is one of them; the name must be ASCII.
    static func contains(_ name: String) -> Bool {
        let name = name.bytes.lowercased()
        return names.contains(name) || beginnings.contains { name.bytes.hasPrefix($0) }
    }

    private static let beginnings = [
        "utm_", "hsa_", "mtm_", "matomo_", "pk_", "piwik_", "at_custom", "mc_", "oly_", "vero_", "_hs", "__hs", "ga_",
        "gad_",
        "fb_action_", "itm_", "wt_", "wt.", "trk_", "sc_campaign", "sc_channel", "sc_content", "sc_medium",
        "sc_outcome",
        "sc_geo", "sc_country", "nr_email_", "ml_subscriber", "li_fat", "action_object_map", "action_type_map",
        "action_ref_map", "stm_", "bsft_", "elq", "asc_", "sb_referer",
    ]

    private static let names: Set<String> = Set(
        ("""
        fbclid gclid gclsrc dclid gbraid wbraid gad msclkid ttclid twclid yclid ysclid qclid sccid scclid srsltid igshid igsh \
        irclickid irgwc clickid click_id rb_clickid wickedid epik rdt_cid obclid tblci zanpid awc cjevent sscid vgo_ee s_cid \
        s_kwcid ef_id dm_i dm_t mkt_tok spm scm trk trkcampaign trackingid tracking_id _ga _gl _gac _ke _kx _openstat \
        _branch_match_id _branch_referrer hsctatracking cmpid campaignid campaign_id campaign adgroupid adset_id ad_id adid \
        creativeid placementid ref ref_src ref_url referrer referer affiliate affiliate_id aff_id affid partner_id \
        fb_ref fb_source fb_comment_id ncid ocid icid otm_source cvid oicd mibextid sfnsn feature share_id sharesource \
        guccounter guce_referrer guce_referrer_sig soc_src soc_trk xtor ito
        """).split(separator: " ").map(String.init)
    )
}
